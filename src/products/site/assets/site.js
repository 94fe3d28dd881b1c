// The gallery's box: cards that hold every word stay. Words are compared without case, and full-width letters as others.
(() => {
  const box = document.getElementById('find');
  const said = document.querySelector('output[for="find"]');
  const plain = (text) => text.normalize('NFKC').toLowerCase();
  const cards = [...document.querySelectorAll('.card')]
    .map((card) => ({ card, text: plain(`${card.dataset.words} ${card.textContent}`) }));
  const find = () => {
    const words = plain(box.value).split(/\s+/).filter((word) => word !== '');
    let found = 0;
    cards.forEach(({ card, text }) => {
      card.hidden = !words.every((word) => text.includes(word));
      if (!card.hidden) found += 1;
    });
    document.querySelectorAll('.group').forEach((group) => {
      group.hidden = !group.querySelector('.card:not([hidden])');
    });
    said.textContent = words.length === 0 ? '' : `${found} / ${cards.length}`;
  };
  box.closest('p').hidden = false;
  box.addEventListener('input', find);
  const asked = new URLSearchParams(location.search).get('q');
  if (asked) { box.value = asked; find(); }
})();
