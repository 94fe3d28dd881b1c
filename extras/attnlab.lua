--- attnlab.lua: a filter for pandoc (2.17 or newer) and Quarto. A block
--
--    ``` {.attnlab caption="Ten vectors" width=60%}
--    vectors --query-angle 45 --figure arrows
--    ```
--
-- becomes the figure that `attnlab vectors ...` draws: PDF in LaTeX, PNG in office documents, SVG elsewhere. The block
-- may carry caption, alt, width, height, lang (default: the document's) and format (svg, png, pdf), and an #identifier;
-- Quarto's `#| fig-cap: ...` lines do as well. The program is `attnlab` on the path, or what the environment variable
-- ATTNLAB names. No shell reads the command, and it can write no file. What fails is warned of and stays as it is.

local program = os.getenv("ATTNLAB") or "attnlab"
local document_language

-- A document does not write where it likes on its reader's disk.
local writing_flags = " --output --output-dir --format --data --explain-to --code-to --film --save-model --save-output "
  .. "--save-weights --save-stages "

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

local function check_words(words)
  for i, word in ipairs(words) do
    local name = word:match("^[^=]*")
    local is_folder = name == "--steps" and not tonumber(words[i + 1] or "") and not tonumber(word:sub(9))
    if word:match("^%-o") or writing_flags:find(" " .. name .. " ", 1, true) or is_folder then
      error(name .. " has no place in a document: the filter says where the figure goes", 0)
    end
  end
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

local function figure(command, options)
  local words = words_of(command)
  if words[1] == "attnlab" then table.remove(words, 1) end
  check_words(words)
  local by_output = is_written("latex beamer context") and "pdf" or is_written("docx odt pptx rtf") and "png" or "svg"
  local format = options.format or by_output
  if not mime[format] then error("there is no format " .. format .. "; choose from svg, png, pdf", 0) end
  local language = options.lang or document_language
  if language then words = pandoc.List({ "--lang", language }) .. words end
  local bytes = pandoc.pipe(program, pandoc.List(words) .. { "-o", "-", "--format", format }, "")
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

local function CodeBlock(block)
  if not (block.classes:includes("attnlab") or block.classes:includes("{attnlab}")) then return nil end
  local command, options = read_block(block)
  local done, result = pcall(figure, command, options)
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

return { { Meta = Meta }, { CodeBlock = CodeBlock, Para = Para } }
