-- attnlab.lua: a filter for pandoc (2.17 or newer) and Quarto. A block
--
--    ``` {.attnlab caption="Ten vectors" width=60%}
--    vectors --query-angle 45 --figure arrows
--    ```
--
-- becomes the figure that `attnlab vectors ...` draws: PDF in LaTeX, PNG in office documents, SVG elsewhere. The block
-- may carry caption, alt, width, height, lang (default: the document's) and format (svg, png, pdf), and an #identifier;
-- Quarto's `#| fig-cap: ...` lines do as well. The program is `attnlab` on the path, or what the environment variable
-- ATTNLAB names. No shell reads the command, and the program refuses what `attnlab build` refuses of a block: it
-- writes no file, and reads none outside of the folder in which pandoc runs. What fails is warned of and stays.
--
-- A lecture for `attnlab build` is such a document (docs/lectures.md): its other blocks become text, what moves stands
-- still, and slides are laid out: a figure, a question, an answer, a step on a slide each, text as far as it has room.
-- In a notebook (ipynb) a figure is a cell that draws it.

local program = os.getenv("ATTNLAB") or "attnlab"
local document_language

local quarto_names = { ["fig-cap"] = "caption", ["fig-alt"] = "alt", ["out-width"] = "width", label = "identifier" }

local warn = pandoc.log and pandoc.log.warn -- from pandoc 3.2 on
  or function(message) io.stderr:write("[WARNING] " .. message .. "\n") end

--- A line into words as a shell would: spaces divide, quotation marks and backslashes hold together.
local function words_of(line)
  local words, word, quote, escaped = {}, nil, nil, false
  for letter in line:gmatch(".") do
    if escaped then
      if letter ~= "\n" then word = (word or "") .. letter end
      escaped = false
    elseif letter == "\\" and quote ~= "'" then
      escaped = true
    elseif quote then
      if letter == quote then quote = nil else word = word .. letter end
    elseif letter == "'" or letter == '"' then
      word, quote = word or "", letter
    elseif letter:match("%s") then
      if word then words[#words + 1] = word end
      word = nil
    else
      word = (word or "") .. letter
    end
  end
  if quote then error("a quotation mark is not closed", 0) end
  if word then words[#words + 1] = word end
  return words
end

--- The command without Quarto's option lines, and the options of both kinds.
local function read_block(block)
  local options = { identifier = block.identifier }
  for name, value in pairs(block.attributes) do
    options[quarto_names[name] or name] = value
  end
  local command = (block.text .. "\n"):gsub("#|%s*([%w-]+):%s*([^\n]*)\n", function(name, value)
    options[quarto_names[name] or name] = value:match('^"(.*)"%s*$') or value:match("^'(.*)'%s*$") or value
    return ""
  end)
  return command:match("^%s*(.-)%s*$"), options
end

local mime = { svg = "image/svg+xml", png = "image/png", pdf = "application/pdf" }

local function is_written(formats)
  return formats:find(FORMAT:match("^%a+"), 1, true)
end

local function base64(bytes)
  local base64_letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
  return (bytes:gsub("..?.?", function(group)
    local a, b, c = group:byte(1, 3)
    local bits, letters = a << 16 | (b or 0) << 8 | (c or 0), ""
    for place = 0, #group do
      local index = (bits >> (18 - 6 * place) & 63) + 1
      letters = letters .. base64_letters:sub(index, index)
    end
    return letters .. ("="):rep(3 - #group)
  end))
end

--- In HTML the picture stands inside the page; other formats take it from pandoc's media (--extract-media writes it).
local function source_of(bytes, format)
  if is_written("html revealjs slidy slideous s5 dzslides") then
    return "data:" .. mime[format] .. ";base64," .. base64(bytes)
  end
  local name = "attnlab-" .. pandoc.utils.sha1(bytes) .. "." .. format
  pandoc.mediabag.insert(name, mime[format], bytes)
  return name
end

--- What an SVG says of itself, for those who cannot see it.
local function description(svg)
  local text = svg:match("<desc[^>]*>(.-)</desc>") or ""
  return (text:gsub("&lt;", "<"):gsub("&gt;", ">"):gsub("&quot;", '"'):gsub("&amp;", "&"))
end

--- The command of what moves, for one that stands still.
local function still(words)
  local kept, skips = {}, false
  for i, word in ipairs(words) do
    local name = word:match("^[^=]*")
    local moves = name == "--slide" or name == "--over"
    if not moves and not skips and not (i == 1 and word == "sweep") then kept[#kept + 1] = word end
    skips = moves and name == word
  end
  return kept
end

local function figure_words(command)
  local words = words_of(command)
  if words[1] == "attnlab" then table.remove(words, 1) end
  return still(words)
end

--- As they would be typed.
local function line_of(words)
  local typed = {}
  for i, word in ipairs(words) do
    typed[i] = (word == "" or word:find("[%s'\"\\]")) and "'" .. word:gsub("'", "'\\''") .. "'" or word
  end
  return table.concat(typed, " ")
end

--- The program reads the words as those of a lecture's block; without a language it speaks its user's.
local function drawn(words, format, language)
  local locale = os.getenv("LC_ALL") or os.getenv("LC_MESSAGES") or os.getenv("LANG") or ""
  language = language or locale:match("^ja")
  local document = "---\nformats: " .. format .. "\n" .. (language and "lang: " .. language .. "\n" or "")
    .. "---\n~~~~~~ {.attnlab}\n" .. line_of(words) .. "\n~~~~~~\n"
  return pandoc.pipe(program, { "build", "-", "--to", "figures", "-o", "-" }, document)
end

local function figure(command, options)
  local words = figure_words(command)
  local by_output = is_written("latex beamer context") and "pdf" or is_written("docx odt pptx rtf") and "png" or "svg"
  local format = options.format or by_output
  if not mime[format] then error("there is no format " .. format .. "; choose from svg, png, pdf", 0) end
  local language = options.lang or document_language
  local bytes = drawn(words, format, language)
  local attributes = { width = options.width, height = options.height }
  local alt = options.alt or description(bytes)
  local source = source_of(bytes, format)
  local caption = pandoc.utils.blocks_to_inlines(pandoc.read(options.caption or "", "markdown").blocks)
  local named = pandoc.Attr(options.identifier, {}, attributes)
  if not options.caption then return pandoc.Para({ pandoc.Image(alt, source, "", named) }) end
  if not pandoc.Figure then return pandoc.Para({ pandoc.Image(caption, source, "fig:", named) }) end -- pandoc 2
  local image = pandoc.Image(alt, source, "", pandoc.Attr("", {}, attributes))
  return pandoc.Figure({ pandoc.Plain({ image }) }, { pandoc.Plain(caption) }, pandoc.Attr(options.identifier))
end

--- The block as it is typed, for the program to read.
local function typed(block, command)
  local attributes = "." .. table.concat(block.classes, " .")
  if block.identifier ~= "" then attributes = attributes .. " #" .. block.identifier end
  for name, value in pairs(block.attributes) do
    attributes = attributes .. " " .. name .. '="' .. value:gsub('[\\"]', "\\%0") .. '"'
  end
  return "~~~~~~ {" .. attributes .. "}\n" .. command .. "\n~~~~~~\n"
end

--- Whether the block shows something else than a figure.
local function is_text(block, command)
  local words = words_of(command)
  for _, word in ipairs(words) do
    if word == "--explain" or word:match("^%-%-code") then return true end
  end
  return words[1] == "claims" or block.classes:includes("report") or block.attributes.stage ~= nil
end

local function text(block, command, options)
  local words = { "build", "-", "--to", "markdown" }
  local language = options.lang or document_language
  if language then words[5], words[6] = "--lang", language end
  local document = pandoc.pipe(program, words, typed(block, command))
  return pandoc.read(document, "markdown-raw_html-raw_tex-raw_attribute").blocks
end

-- --- Notebooks

local function cell(code)
  return pandoc.Div({ pandoc.CodeBlock(code, pandoc.Attr("", { "python" })) }, pandoc.Attr("", { "cell", "code" }))
end

--- Every block in a numbered cell: pandoc's own have other names each time.
local function in_cells(blocks)
  local cells, text = pandoc.List(), pandoc.List()
  local function add(block)
    block.identifier = "cell-" .. #cells
    cells:insert(block)
  end
  local function close()
    if #text > 0 then add(pandoc.Div(text, pandoc.Attr("", { "cell", "markdown" }))) end
    text = pandoc.List()
  end
  for _, block in ipairs(blocks) do
    if block.t == "Header" or block.t == "Div" then close() end
    if block.t == "Div" then add(block) else text:insert(block) end
  end
  close()
  return cells
end

--- Draws the figure, and again where a number in it is changed.
local function figure_cell(command)
  return cell("%%attnlab\n" .. command:gsub("^attnlab ", ""))
end

local function block_cell(command, options)
  local words = figure_words(command)
  local language = options.lang or document_language
  drawn(words, "svg", language) -- what fails, or is refused, is no cell
  return figure_cell(line_of(words) .. (language and " --lang " .. language or ""))
end

local function CodeBlock(block)
  if not (block.classes:includes("attnlab") or block.classes:includes("{attnlab}")) then return nil end
  local command, options = read_block(block)
  local done, result = pcall(function()
    if is_text(block, command) then return text(block, command, options) end
    if FORMAT == "ipynb" then return block_cell(command, options) end
    return figure(command, options)
  end)
  if done then return result end
  local reason = type(result) == "table" and ("exit code " .. tostring(result.error_code)) or tostring(result)
  warn("no figure of `" .. command:gsub("%s+", " ") .. "`: " .. reason)
end

-- pandoc 3 reads ```{attnlab} without a dot as a line of code, where Quarto and pandoc 2 see a block.
local function Para(block)
  local code = #block.content == 1 and block.content[1].t == "Code" and block.content[1].text or ""
  local command = code:match("^{attnlab}%s+(.*)")
  return command and CodeBlock(pandoc.CodeBlock(command, pandoc.Attr("", { "attnlab" })))
end

local function Meta(meta)
  local language = meta.lang and pandoc.utils.stringify(meta.lang) or ""
  document_language = language:match("^ja") or language:match("^en")
end

-- --- The parts of a lecture, laid out for the output

local function said(ja, en) return document_language == "ja" and ja or en end

local function strong(words) return pandoc.Para({ pandoc.Strong({ pandoc.Str(words) }) }) end

local function has(block, class) return block.t == "Div" and block.classes:includes(class) end

--- What of a div's content has the class, and the others.
local function parted(blocks, class)
  local inside, others = pandoc.List(), pandoc.List()
  for _, block in ipairs(blocks) do
    if has(block, class) then inside:extend(block.content) else others:insert(block) end
  end
  return inside, others
end

local function append(out, blocks)
  for _, block in ipairs(blocks) do out[#out + 1] = block end
end

--- In documents and notebooks: the blocks in their order.
local function in_document(blocks)
  local out, is_notebook = pandoc.List(), FORMAT == "ipynb"
  for _, block in ipairs(blocks) do
    local command = block.attributes and block.attributes.command
    if has(block, "notes") then -- the speaker's
    elseif is_notebook and command and (has(block, "attnlab-figure") or block.t == "CodeBlock") then
      out:insert(block.t == "CodeBlock" and cell(block.text) or figure_cell(command))
    elseif has(block, "question") then
      local answer, question = parted(block.content, "answer")
      out:insert(strong(said("問", "Question")))
      append(out, in_document(question))
      if is_notebook then out:insert(pandoc.RawBlock("html", "<details><summary>" .. said("答え", "Answer") .. "</summary>\n"))
      else out:insert(strong(said("答え", "Answer"))) end
      append(out, in_document(answer))
      if is_notebook then out:insert(pandoc.RawBlock("html", "</details>")) end
    elseif block.t == "Div" and not has(block, "cell") then
      append(out, in_document(block.content))
    else
      out:insert(block)
    end
  end
  return out
end

-- --- Slides

-- In half-width letters, at the size that pandoc's own slides have.
local slide_room = 460
local widest_line = 42
local title_room = 64
local caption_room = 140

local function width_of(text)
  return utf8.len(text) + select(2, text:gsub("[\xE3-\xEF]..", "")) -- kana, ideographs and their marks are wide
end

--- How much of a slide the block takes.
local function weight(block)
  local letters = 0
  if block.t == "CodeBlock" then
    for _ in (block.text .. "\n"):gmatch("\n") do letters = letters + widest_line end
    return letters
  end
  pandoc.walk_block(pandoc.Div({ block }), {
    Str = function(one) letters = letters + width_of(one.text) end,
    Code = function(one) letters = letters + width_of(one.text) end,
    Space = function() letters = letters + 1 end,
    Math = function(one) letters = letters + (one.mathtype == "DisplayMath" and 2 * widest_line or #one.text // 3) end,
    Plain = function() letters = letters + widest_line // 2 end,
    Para = function() letters = letters + widest_line // 2 end,
  })
  return letters
end

--- A list that fills more than a slide becomes several.
local function shortened_list(list)
  local parts, first = {}, 1
  local function part(last)
    local items = {}
    for i = first, last do items[#items + 1] = list.content[i] end
    if list.t == "BulletList" then return pandoc.BulletList(items) end
    return pandoc.OrderedList(items, pandoc.ListAttributes(list.start + first - 1, list.style, list.delimiter))
  end
  for i = 1, #list.content do
    if i > first and weight(part(i)) > slide_room then
      parts[#parts + 1] = part(i - 1)
      first = i
    end
  end
  parts[#parts + 1] = part(#list.content)
  return parts
end

--- A paragraph that fills more than a slide becomes several, cut behind sentences.
local function shortened(block)
  if block.t == "BulletList" or block.t == "OrderedList" then return shortened_list(block) end
  if block.t ~= "Para" or weight(block) <= slide_room then return { block } end
  local parts, part = {}, pandoc.List()
  for _, inline in ipairs(block.content) do
    if #part > 0 or inline.t ~= "Space" and inline.t ~= "SoftBreak" then part:insert(inline) end
    local ends = inline.t == "Str" and (inline.text:match("[.?!]$") or inline.text:match("。$"))
    if ends and weight(pandoc.Para(part)) > slide_room * 0.6 then
      parts[#parts + 1], part = pandoc.Para(part), pandoc.List()
    end
  end
  if #part > 0 then parts[#parts + 1] = pandoc.Para(part) end
  return parts
end

--- Text with ideographic full stops inside is one word to pandoc: it is cut behind them.
local function Str(inline)
  local parts = pandoc.List()
  for part in inline.text:gsub("。", "。\0"):gmatch("[^\0]+") do parts:insert(pandoc.Str(part)) end
  return #parts > 1 and parts or nil
end

local Deck = {}
Deck.__index = Deck

function Deck:begin(title)
  self.out:insert(pandoc.Header(2, title, pandoc.Attr("", self.classes)))
  self.room = slide_room
end

--- What has been read of a text becomes a slide.
function Deck:put(block)
  for _, part in ipairs(shortened(block)) do
    local needs = weight(part)
    if self.room < needs then self:begin(self.title) end
    self.out:insert(part)
    self.room = self.room - needs
  end
end

function Deck:close() self.room = -1 end

--- Blocks under a title of their own.
function Deck:slide(title, blocks)
  self:begin(title)
  local before = self.title
  self.title = title
  for _, block in ipairs(blocks) do
    if has(block, "notes") then self.out:insert(block) else self:put(block) end
  end
  self.title = before
  self:close()
end

--- "W_O" with its subscript, as the figures' own titles have it.
local function with_subscripts(title)
  local inlines, at = pandoc.List(), 1
  for before, letter, below, after in title:gmatch("()%f[%w_](%a)_(%w+)%f[^%w_]()") do
    inlines:insert(pandoc.Str(title:sub(at, before - 1) .. letter))
    inlines:insert(pandoc.Subscript({ pandoc.Str(below) }))
    at = after
  end
  inlines:insert(pandoc.Str(title:sub(at)))
  return inlines
end

--- The same in what the program wrote: captions, reports and claims.
local function with_subscripts_inside(block)
  if not has(block, "attnlab-figure") and not has(block, "attnlab-report") and not has(block, "attnlab-claim") then return nil end
  return pandoc.walk_block(block, { Str = function(inline) return with_subscripts(inline.text) end })
end

--- The figure with what stands below it: a caption that is too long goes to the notes.
local function with_caption_below(figure, finding, notes)
  local image = figure.caption and figure.content[1].content[1] or figure.content[1] -- pandoc 3, 2
  local below = figure.caption and pandoc.utils.blocks_to_inlines(figure.caption.long) or image.caption
  local caption = pandoc.utils.stringify(below)
  if finding or width_of(caption) > caption_room then
    if caption ~= "" then notes:insert(1, pandoc.Para({ pandoc.Str(caption) })) end
    below = finding and with_subscripts(finding) or {}
  end
  if FORMAT == "pptx" or not figure.caption then image.caption = below end -- PowerPoint shows these words below
  if #below == 0 then image.title = "" end
  if #below == 0 or not figure.caption then return pandoc.Para({ image }) end
  figure.caption = { long = { pandoc.Plain(below) } }
  figure.content = { pandoc.Plain({ image }) }
  return figure
end

function Deck:figure(block)
  local notes, others = parted(block.content, "notes")
  local title = block.attributes.title
  local is_long = width_of(title) > title_room
  if FORMAT == "beamer" then -- room for the title and what stands below
    others = pandoc.walk_block(pandoc.Div(others), { Image = function(image)
      image.attributes.height = "68%"
      return image
    end }).content
  end
  self:begin(is_long and self.title or with_subscripts(title))
  for _, other in ipairs(others) do self.out:insert(with_caption_below(other, is_long and title, notes)) end
  if #notes > 0 then self.out:insert(pandoc.Div(notes, pandoc.Attr("", { "notes" }))) end
  self.found[#self.found].figure = title
  self:close()
end

--- A slide of text, and behind it the figure in which to guess, which no summary tells.
function Deck:with_figures(title, blocks)
  local figures, text, last = pandoc.List(), pandoc.List(), self.found[#self.found]
  for _, block in ipairs(blocks) do (has(block, "attnlab-figure") and figures or text):insert(block) end
  self:slide(title, text)
  local told = last and last.figure
  for _, figure in ipairs(figures) do self:figure(figure) end
  if last then last.figure = told end
end

--- What is too long for slides is left to the page, with the command that prints it.
function Deck:long(block)
  local command = block.attributes.command
  if command and weight(block) > slide_room then
    self:put(pandoc.Para({ pandoc.Str(said("画面で見るには：", "To be seen on the screen: ")), pandoc.Code(command) }))
  else
    self:put(block)
  end
end

function Deck:add(block)
  if block.t == "Header" and block.level == 1 then
    self.out:insert(block)
    self.title = block.content
    self.found:insert({ title = block.content })
    self:close()
  elseif block.t == "Header" then
    self.title = block.content
    self:close()
  elseif block.t == "HorizontalRule" then self:close()
  elseif has(block, "attnlab-figure") then self:figure(block)
  elseif has(block, "notes") then self.out:insert(block)
  elseif has(block, "question") then
    local answer, question = parted(block.content, "answer")
    self:with_figures(said("問", "Question"), question)
    self:slide(said("答え", "Answer"), answer)
  elseif block.t == "CodeBlock" or has(block, "attnlab-report") and block.attributes.command then self:long(block)
  elseif has(block, "attnlab-claim") then self:slide(said("文書の主張を確かめる", "A sentence of the documents"), block.content)
  elseif block.t == "Div" then for _, inner in ipairs(block.content) do self:add(inner) end
  else self:put(block) end
end

--- What the sections found, in the titles of their last figures, where the lecture does not sum up by itself.
function Deck:summary()
  local points, title = pandoc.List(), said("まとめ", "Summary")
  for _, section in ipairs(self.found) do
    if section.title and pandoc.utils.stringify(section.title) == title then return end
    if section.figure then
      local point = pandoc.List({ pandoc.Strong(section.title) })
      point:insert(pandoc.Str(said("：", ": ")))
      point:extend(with_subscripts(section.figure))
      points:insert({ pandoc.Plain(point) })
    end
  end
  self:close()
  self.title = title
  for first = 1, #points, 4 do
    local some = pandoc.List()
    for i = first, math.min(first + 3, #points) do some:insert(points[i]) end
    self:begin(self.title)
    self.out:insert(pandoc.BulletList(some))
  end
end

local function in_slides(blocks)
  local deck = setmetatable({ out = pandoc.List(), found = pandoc.List({ {} }), title = "", room = -1 }, Deck)
  deck.classes = FORMAT == "revealjs" and { "smaller" } or {}
  for _, block in ipairs(blocks) do deck:add(block) end
  if #deck.found > 2 then deck:summary() end
  return deck.out
end

--- A lecture is recognised by what only lectures hold; other documents keep their own layout.
local function is_lecture(blocks)
  local found = false
  pandoc.walk_block(pandoc.Div(blocks), { Div = function(block)
    found = found or has(block, "attnlab-figure") or has(block, "question") or has(block, "steps")
  end })
  return found
end

local role_colours = { Q = "0072B2", K = "B05107", V = "007A5A" }

--- For LaTeX: Q, K and V in the colours that their words have in the figures, wherever they stand by themselves.
local function in_role_colours(math)
  local coloured, rest = "", math.text
  while rest ~= "" do
    local piece = rest:match("^\\[mto]%a+%s*%b{}") or rest:match("^\\%a+") or rest:match("^\\?.")
    local colour = role_colours[piece]
    coloured = coloured .. (colour and ("{\\color[HTML]{%s}%s}"):format(colour, piece) or piece)
    rest = rest:sub(#piece + 1)
  end
  return pandoc.Math(math.mathtype, coloured)
end

--- For lualatex: Japanese, and captions without a word and a number before their own.
local function with_preamble(meta)
  local own, lines = meta["header-includes"], pandoc.List({ "\\setbeamertemplate{caption}{\\insertcaption\\par}" })
  if document_language == "ja" then lines:insert("\\usepackage{luatexja}") end
  local all = pandoc.List(pandoc.utils.type(own) == "List" and own or own and { own } or {})
  for _, line in ipairs(lines) do all:insert(pandoc.MetaBlocks({ pandoc.RawBlock("latex", line) })) end
  meta["header-includes"] = pandoc.MetaList(all)
  return meta
end

local function Pandoc(document)
  if FORMAT == "ipynb" then
    local blocks = pandoc.List({ pandoc.Header(1, document.meta.title or "attnlab"), cell("%load_ext attnlab") })
    for _, block in ipairs(in_document(document.blocks)) do
      if block.t == "Header" then block.level = block.level + 1 end
      blocks:insert(block)
    end
    document.blocks = in_cells(blocks)
    local kernel = { display_name = "Python 3", language = "python", name = "python3" }
    document.meta = { jupyter = { kernelspec = kernel, nbformat = 4, nbformat_minor = 5 } }
  elseif is_lecture(document.blocks) then
    local is_slides = is_written("pptx beamer revealjs slidy slideous s5 dzslides")
    document = document:walk({ Div = with_subscripts_inside })
    if is_slides then document = document:walk({ Str = Str }) end
    document.blocks = is_slides and in_slides(document.blocks) or in_document(document.blocks)
    if FORMAT == "beamer" then
      document.meta = with_preamble(document.meta)
      document = document:walk({ Math = in_role_colours })
    end
  end
  return document
end

return { { Meta = Meta }, { CodeBlock = CodeBlock, Para = Para }, { Pandoc = Pandoc } }
