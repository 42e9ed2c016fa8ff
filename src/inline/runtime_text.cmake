# runtime_text.cmake - files as arrays of characters: OUT, DIR
set(text "#include \"inline/runtime_text.h\"\n")
foreach(part types solver interface)
  file(READ ${DIR}/runtime_${part}.inc hex HEX)
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${hex}")
  string(REGEX REPLACE "(0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,)" "\\1\n"
                       bytes "${bytes}")
  string(APPEND text "const char crank_runtime_${part}[] = {\n${bytes}0};\n")
endforeach()
file(WRITE ${OUT} "${text}")
