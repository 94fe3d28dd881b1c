// The numbers that `attnlab lookup` must give.
#include "experiments/expected/rows.hpp"

namespace attnlab::expected {

Rows lookup_rows() {
  const Text slide{"クエリ・キー・バリュー", "query, key and value"};
  const Text between{"記事 式 (6)、ソフトな辞書検索", "article eq. 6, soft dictionary"};
  // NumPy: softmax(K @ q / T) and its product with the values
  return {
      {"lookup", {}, "keys", {4, 2}, 0, {1, 0, 0, 1, -1, 0, 0, -1}, 0.0, Document::slides, slide},
      {"lookup", {}, "query", {2}, 0, {0, 1}, 0.0, Document::slides, slide},
      {"lookup", {}, "hard_weights", {4}, 0, {0, 1, 0, 0}, 0.0, Document::slides, slide},
      {"lookup", {}, "found_index", {}, 0, {1}, 0.0, Document::slides, slide},
      {"lookup",
       {},
       "weights",
       {7, 4},
       0,
       {2.061153613941849e-09, 0.9999999958776926, 2.061153613941849e-09, 4.248354237778567e-18,
        0.006648056670790156, 0.9866590924049252, 0.006648056670790156, 4.479425349470066e-05,
        0.10499358540350652, 0.775803492574376, 0.10499358540350652, 0.014209336618611039, 0.1966119332414819,
        0.534446645388523, 0.1966119332414819, 0.07232948812851327},
       exact,
       Document::slides,
       slide},
      // the last temperature, 100: nearly the mean
      {"lookup",
       {},
       "weights",
       {7, 4},
       24,
       {0.2499937501041652, 0.2525062290627098, 0.2499937501041652, 0.2475062707289598},
       exact,
       Document::slides,
       slide},
      {"lookup",
       {},
       "output",
       {7, 2},
       0,
       {0, 0.9999999958776926, 0, 0.9866142981514305, 0, 0.761594155955765, 0, 0.4621171572600098, 0,
        0.24491866240370913, 0, 0.09966799462495585, 0, 0.004999958333749999},
       exact,
       Document::slides,
       slide},
      {"lookup",
       {{"query", "75"}, {"temperature", "0.1,1"}},
       "weights",
       {2, 4},
       0,
       {0.0008486008916831819, 0.9991466017901492, 4.793247139727709e-06, 4.07102800484238e-09,
        0.25524046651088994, 0.5176570140534259, 0.15210453527323103, 0.0749979841624531},
       exact,
       Document::article,
       between},
      {"lookup",
       {{"query", "75"}, {"temperature", "0.1,1"}},
       "output",
       {2, 2},
       0,
       {0.0008438076445434541, 0.9991465977191213, 0.1031359312376589, 0.44265902989097283},
       exact,
       Document::article,
       between},
  };
}

}  // namespace attnlab::expected
