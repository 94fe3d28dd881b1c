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
-- still, and slides are a deck: figures, questions and answers on a slide each, prose in the speaker's notes.
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
    elseif has(block, "moving") then
      append(out, in_document({ block.content[1] }))
    elseif block.t == "Div" and not has(block, "cell") then
      append(out, in_document(block.content))
    else
      out:insert(block)
    end
  end
  return out
end

-- --- Slides: a deck, not the page poured out. What stands below a heading is a part: its first figure is a slide, so are
-- questions, answers, short lists and short tables; all else is for the speaker's notes.

-- In half-width letters, at the sizes that the slides of `attnlab build` have: a title is one line.
local most_words, widest_title = 14, 60
local short_list = { lines = 6, width = 56 }
local whole_slide = { lines = 10, width = 56 }
local beside_figure = { lines = 12, width = 22 }
local beside_formula = { lines = 6, width = 56 }

local function width_of(text)
  return utf8.len(text) + select(2, text:gsub("[\xE3-\xEF]..", "")) -- kana, ideographs and their marks are wide
end

local function is_title(text)
  return select(2, text:gsub("%S+", "")) <= most_words and width_of(text) <= widest_title
end

--- How many lines the block takes.
local function lines_of(block, width)
  if block.t == "Table" then return #block.bodies[1].body end
  local lines = 0
  local function add(text) lines = lines + math.max(1, math.ceil(width_of(text) / width)) end
  local function paragraph(one) add(pandoc.utils.stringify(one)) end
  pandoc.walk_block(pandoc.Div({ block }), { Para = paragraph, Plain = paragraph, CodeBlock = function(code)
    for line in (code.text .. "\n"):gmatch("([^\n]*)\n") do add(line) end
  end })
  return lines
end

local function is_short(block, room) return lines_of(block, room.width) <= room.lines end

--- Text with ideographic full stops inside is one word to pandoc: it is cut behind them.
local function Str(inline)
  local parts = pandoc.List()
  for part in inline.text:gsub("。", "。\0"):gmatch("[^\0]+") do parts:insert(pandoc.Str(part)) end
  return #parts > 1 and parts or nil
end

local function sentences_of(inlines)
  local sentences, sentence = pandoc.List(), pandoc.List()
  for i, inline in ipairs(inlines) do
    sentence:insert(inline)
    local ends = inline.t == "Str" and (inline.text:match("[.?!]$") or inline.text:match("。$"))
    if ends or i == #inlines then
      sentences:insert(sentence)
      sentence = pandoc.List()
    end
  end
  return sentences
end

--- A slide has no sliders and no pointer: sentences about them are the page's.
local function is_for_page(inlines)
  local text = pandoc.utils.stringify(inlines):lower()
  for _, word in ipairs({ "slider", "hover", "スライダー", "ポインター" }) do
    if text:find(word, 1, true) then return true end
  end
  return false
end

--- What a speaker's notes can hold of the block: no table, no footnote, no picture, nothing that moves.
local function spoken(block)
  if block.t == "Table" then
    local rows = pandoc.List()
    for _, row in ipairs(pandoc.utils.to_simple_table(block).rows) do
      local cells = {}
      for i, cell in ipairs(row) do cells[i] = pandoc.utils.stringify(cell) end
      rows:insert(pandoc.Para({ pandoc.Str(table.concat(cells, " | ")) }))
    end
    return rows
  end
  local function paragraph(one)
    local kept = pandoc.List()
    for _, sentence in ipairs(sentences_of(one.content)) do
      if not is_for_page(sentence) then kept:extend(sentence) end
    end
    return #kept > 0 and pandoc[one.t](kept) or {}
  end
  local function note(one)
    local inlines = pandoc.List({ pandoc.Str(" (") })
    inlines:extend(pandoc.utils.blocks_to_inlines(one.content))
    inlines:insert(pandoc.Str(")"))
    return inlines
  end
  return pandoc.walk_block(pandoc.Div({ block }), { Para = paragraph, Plain = paragraph, Note = note, Image = function() return {} end }).content
end

--- As much as a slide has room for, cut behind a sentence; and the rest.
local function fitting(blocks, room)
  local shown, rest, left = pandoc.List(), pandoc.List(), room.lines
  for _, block in ipairs(blocks) do
    local needs = lines_of(block, room.width)
    if needs <= left then
      shown:insert(block)
    elseif block.t == "Para" and left > 0 then
      local kept, others = pandoc.List(), pandoc.List()
      for _, sentence in ipairs(sentences_of(block.content)) do
        local tried = pandoc.List(kept)
        tried:extend(sentence)
        local fits = #others == 0 and lines_of(pandoc.Para(tried), room.width) <= left;
        (fits and kept or others):extend(sentence)
      end
      if #kept > 0 then shown:insert(pandoc.Para(kept)) end
      rest:insert(pandoc.Para(others))
    else
      rest:insert(block)
    end
    left = left - needs
  end
  return shown, rest
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

--- Of a paragraph that is a picture, or a figure of pandoc 3: its image and what stands below it.
local function picture_in(block)
  if block.t == "Figure" then return block.content[1].content[1], pandoc.utils.blocks_to_inlines(block.caption.long) end
  if block.t == "Para" and #block.content == 1 and block.content[1].t == "Image" then return block.content[1], block.content[1].caption end
end

--- Without a caption; beside text as wide as its column, otherwise as large as the slide leaves, in Beamer of this height.
local function bare(image, height)
  local alt = image.attributes.alt or pandoc.utils.stringify(image.caption)
  image.caption, image.attributes.alt = {}, FORMAT ~= "pptx" and alt or nil
  image.title = FORMAT == "pptx" and alt or "" -- PowerPoint's description
  if FORMAT == "beamer" then image.attributes.height = height end
  if FORMAT == "revealjs" and height then image.classes:extend({ "stretch", "r-stretch" }) end
  return pandoc.Para({ image })
end

local function beside(text, picture)
  local function column(blocks, width) return pandoc.Div(blocks, pandoc.Attr("", { "column" }, { width = width })) end
  return { pandoc.Div({ column(text, "32%"), column({ picture }, "68%") }, pandoc.Attr("", { "columns" })) }
end

--- The slides of what stands below a heading, or below a rule, which begins another part of the same title.
local lowest_heading = 6
local Part = {}
Part.__index = Part

function Part:slide(title, blocks)
  self.slides:insert({ title = title, blocks = blocks, notes = pandoc.List() })
end

--- Into the notes of the slide before it; of the first one, as long as there is none.
function Part:say(blocks)
  local notes = #self.slides > 0 and self.slides[#self.slides].notes or self.lead
  for _, block in ipairs(blocks) do notes:extend(spoken(block)) end
end

--- Title, image, and what is said of the figure: of a block of the program's, or a picture of the document's own.
local function figure_of(block)
  if not has(block, "attnlab-figure") then
    local image, caption = picture_in(block)
    return caption, image, {}
  end
  local notes, others = parted(block.content, "notes")
  local image, caption = picture_in(others[1])
  if #caption > 0 then notes:insert(1, pandoc.Para(caption)) end
  return with_subscripts(block.attributes.title), image, notes
end

function Part:figure(block, formula)
  local title, image, notes = figure_of(block)
  local fits = is_title(pandoc.utils.stringify(title)) and #title > 0
  local blocks = pandoc.List({ bare(image, formula and "62%" or "78%") })
  if formula then blocks:insert(1, formula) end
  self:slide(fits and title or self.title, blocks)
  if not fits then self:say({ pandoc.Para(title) }) end
  self:say(notes)
end

--- Those of the part's first figure block.
function Part:figures(blocks)
  for i, block in ipairs(blocks) do self:figure(block, i == 1 and self.formula) end
end

--- Text, and beside it a figure; what has no room is said.
function Part:text(title, blocks, figure)
  local shown, rest = fitting(blocks, figure and beside_figure or whole_slide)
  local image, notes
  if figure then _, image, notes = figure_of(figure) end
  self:slide(title, figure and beside(shown, bare(image)) or shown)
  self:say(rest)
  self:say(notes or {})
end

function Part:question(block, answered)
  local answer, question = parted(block.content, "answer")
  local covered, text = pandoc.List(), pandoc.List()
  for _, one in ipairs(question) do (has(one, "attnlab-figure") and covered or text):insert(one) end
  self:text(said("問", "Question"), text, covered[1])
  self:text(said("答え", "Answer"), answer, answered)
end

--- As its author wants it; its heading is the title.
function Part:own(blocks)
  local notes, others = parted(blocks, "notes")
  local title, text, figures = self.title, pandoc.List(), pandoc.List()
  for _, block in ipairs(others) do
    if block.t == "Header" then title = block.content
    elseif has(block, "attnlab-figure") or picture_in(block) then figures:insert(block)
    else text:insert(block) end
  end
  if #text == 0 and #figures > 0 then
    self:figures(figures)
  else
    self:text(title, text, figures[1])
    for i = 2, #figures do self:figure(figures[i]) end
  end
  self:say(notes)
end

local function figures_of(block)
  if has(block, "answered") then return nil end -- its question's
  if has(block, "steps") then return block.content end
  if has(block, "moving") then return { table.unpack(block.content, 2) } end -- behind the one of documents
  if has(block, "attnlab-figure") or picture_in(block) then return { block } end
end

--- Not on the page alone.
local function is_shown(figure) return not has(figure, "page") end

local function is_formula(block)
  return block.t == "Para" and #block.content == 1 and block.content[1].t == "Math" and block.content[1].mathtype == "DisplayMath"
end

--- The formula of the first figure: the last one before it, or else the first.
local function formula_of(blocks)
  local formula, has_figure
  for _, block in ipairs(blocks) do
    local figures = figures_of(block)
    has_figure = has_figure or figures and is_shown(figures[1])
    if is_formula(block) and not (has_figure and formula) then formula = block end
  end
  return has_figure and formula
end

--- The formula by itself below what was said of it last: a slide says something where formulas are not shown, too.
function Part:formula_slide(formula, before)
  local said = before and before.t == "Para" and not is_formula(before) and spoken(before) or {}
  local shown = fitting(said, beside_formula)
  shown:insert(formula)
  self:slide(self.title, shown)
end

function Part:add(block, next, before)
  local figures = figures_of(block)
  if has(block, "notes") then self:say(block.content)
  elseif has(block, "slide") then self:own(block.content)
  elseif has(block, "answered") then return -- with its question
  elseif figures and is_shown(figures[1]) and not (self.has_figure and picture_in(block)) then
    self.has_figure = true
    self:figures(figures)
  elseif figures then
    self:say({ pandoc.Para({ pandoc.Str(said("ページの図：", "On the page: ")), pandoc.Span((figure_of(figures[1]))) }) })
  elseif has(block, "question") then self:question(block, next and has(next, "answered") and next)
  elseif block.t == "CodeBlock" and block.attributes.command or has(block, "attnlab-report") and block.attributes.command then
    self:say({ pandoc.Para({ pandoc.Code(block.attributes.command) }) })
  elseif block == self.formula then return
  elseif is_formula(block) and not self.formula then self:formula_slide(block, before)
  elseif (block.t == "Table" or block.t:match("List$") or block.t == "CodeBlock") and is_short(block, short_list) then
    self:slide(self.title, { block })
  elseif block.t == "Div" then for i, inner in ipairs(block.content) do self:add(inner, nil, block.content[i - 1]) end
  else self:say({ block }) end
end

local function notes_of(blocks) return pandoc.Div(blocks, pandoc.Attr("", { "notes" })) end

--- A heading by itself is a slide where nothing else is one, unless lower headings follow at once.
function Part:put(out, is_divided)
  for i, block in ipairs(self.blocks) do self:add(block, self.blocks[i + 1], self.blocks[i - 1]) end
  local level = 2
  if #self.slides == 0 then
    if self.level > lowest_heading and #out > 0 then return out:insert(notes_of(self.lead)) end -- of the slide before
    if #self.lead == 0 and is_divided then return end
    if FORMAT == "pptx" then level = 1 end
    self:slide(self.title, {})
  end
  for i, one in ipairs(self.slides) do
    out:insert(pandoc.Header(level, one.title, pandoc.Attr("", FORMAT == "revealjs" and { "smaller" } or {})))
    append(out, one.blocks)
    if i == 1 then self.lead:extend(one.notes) end
    local notes = i == 1 and self.lead or one.notes
    if #notes > 0 then out:insert(notes_of(notes)) end
  end
end

local function in_slides(document)
  local parts = pandoc.List()
  local function begin(title, level)
    local part = { title = title, level = level, blocks = pandoc.List(), slides = pandoc.List(), lead = pandoc.List() }
    parts:insert(setmetatable(part, Part))
  end
  local function read(blocks)
    for _, block in ipairs(blocks) do
      if block.t == "Header" then begin(block.content, block.level)
      elseif block.t == "HorizontalRule" and #parts > 0 then begin(parts[#parts].title, lowest_heading + 1)
      elseif block.t == "Div" and block.identifier == "" and #block.classes == 0 then read(block.content)
      else
        if #parts == 0 then begin(document.meta.title or {}, lowest_heading) end
        parts[#parts].blocks:insert(block)
      end
    end
  end
  read(document.blocks)
  local out = pandoc.List()
  if #parts > 1 and document.blocks[1].t ~= "Header" then -- what is said before the first heading
    local before = table.remove(parts, 1)
    parts[1].blocks = before.blocks .. parts[1].blocks
  end
  for i, part in ipairs(parts) do
    part.formula = formula_of(part.blocks)
    local next = parts[i + 1]
    part:put(out, #part.blocks == 0 and next and next.level > part.level and next.level <= lowest_heading)
  end
  return out
end

--- For PowerPoint, whose formulas other programs leave out: what is a line of letters becomes one.
local function in_letters(math)
  local text = math.text:gsub("\\sqrt%s*{([%w_]+)}", "√%1")
  for _, word in ipairs({ "frac", "sqrt", "sum", "prod", "left", "begin", "brace", "binom", "over" }) do
    if text:find("\\%a*" .. word) then return nil end
  end
  if math.mathtype == "DisplayMath" then return nil end
  local html = pandoc.write(pandoc.Pandoc({ pandoc.Plain({ pandoc.Math("InlineMath", text) }) }), "html")
  if html:find("$", 1, true) then return nil end
  return pandoc.utils.blocks_to_inlines(pandoc.read(html, "html").blocks)
end

--- Without `attnlab build` a lecture is recognised by what only lectures hold; other documents keep their own layout.
local function is_lecture(blocks)
  local found = false
  pandoc.walk_block(pandoc.Div(blocks), { Div = function(block)
    for _, class in ipairs({ "attnlab-figure", "question", "steps", "slide" }) do found = found or has(block, class) end
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

-- A title of one line, a formula no higher than it needs to be (the rest is the figure's), code that goes on in a line of its own.
local reveal_style = [[<style>
.reveal .slides section { text-align: left; }
.reveal h2 { text-transform: none; font-size: .9em; }
.reveal math[display="block"] { font-size: .8em; }
.reveal p:has(> math[display="block"]) { margin: 0; }
.reveal :is(p, li) code { display: inline-block; max-width: 100%; font-size: .8em; overflow-wrap: anywhere; }
</style>]]

--- For lualatex: Japanese, and the theme of the figures.
local function with_preamble(meta)
  local own, lines = meta["header-includes"], pandoc.List()
  if FORMAT == "revealjs" then lines:insert(reveal_style) end
  if FORMAT == "beamer" then lines:insert("\\setbeamerfont{frametitle}{size=\\large}") end
  if FORMAT == "beamer" and document_language == "ja" then lines:insert("\\usepackage{luatexja}") end
  if FORMAT == "beamer" and meta.dark then
    for _, part in ipairs({ "normal text", "frametitle", "title" }) do lines:insert("\\setbeamercolor{" .. part .. "}{fg=white,bg=}") end
    lines:insert("\\setbeamercolor{background canvas}{bg=black}")
  end
  local all = pandoc.List(pandoc.utils.type(own) == "List" and own or own and { own } or {})
  for _, line in ipairs(lines) do all:insert(pandoc.MetaBlocks({ pandoc.RawBlock(FORMAT == "beamer" and "latex" or "html", line) })) end
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
  elseif document.meta.lecture or is_lecture(document.blocks) then
    local is_slides = is_written("pptx beamer revealjs slidy slideous s5 dzslides")
    document = document:walk({ Div = with_subscripts_inside })
    if is_slides then document = document:walk({ Str = Str }) end
    if FORMAT == "pptx" then document = document:walk({ Math = in_letters }) end
    document.blocks = is_slides and in_slides(document) or in_document(document.blocks)
    if is_written("beamer revealjs") then document.meta = with_preamble(document.meta) end
    if FORMAT == "beamer" then document = document:walk({ Math = in_role_colours }) end
  end
  return document
end

return { { Meta = Meta }, { CodeBlock = CodeBlock, Para = Para }, { Pandoc = Pandoc } }
