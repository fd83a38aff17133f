// Characters of 3x5 dots, one per line. A dot is 16 pixels wide in the picture.
const SIGNS = `
0 ### #.# #.# #.# ###
1 .#. ##. .#. .#. ###
2 ### ..# ### #.. ###
3 ### ..# .## ..# ###
4 #.# #.# ### ..# ..#
5 ### #.. ### ..# ###
6 ### #.. ### #.# ###
7 ### ..# ..# .#. .#.
8 ### #.# ### #.# ###
9 ### #.# ### ..# ###
a .#. #.# ### #.# #.#
b ##. #.# ##. #.# ##.
c ### #.. #.. #.. ###
d ##. #.# #.# #.# ##.
e ### #.. ##. #.. ###
f ### #.. ##. #.. #..
g ### #.. #.# #.# ###
h #.# #.# ### #.# #.#
i ### .#. .#. .#. ###
j ..# ..# ..# #.# ###
k #.# #.# ##. #.# #.#
l #.. #.. #.. #.. ###
m #.# ### ### #.# #.#
n ##. #.# #.# #.# #.#
o .#. #.# #.# #.# .#.
p ### #.# ### #.. #..
q ### #.# #.# ### ..#
r ##. #.# ##. #.# #.#
s .## #.. .#. ..# ##.
t ### .#. .#. .#. .#.
u #.# #.# #.# #.# ###
v #.# #.# #.# #.# .#.
w #.# #.# ### ### #.#
x #.# #.# .#. #.# #.#
y #.# #.# .#. .#. .#.
z ### ..# .#. #.. ###
- ... ... ### ... ...
`

const BLANK = ['...', '...', '...', '...', '...']

const table = new Map(
  SIGNS.trim()
    .split('\n')
    .map((line) => {
      const [sign = '', ...rows] = line.split(' ')
      return [sign, rows] as const
    }),
)

/** Returns the five rows of a character; blank for unknown characters. */
export function glyph(sign: string): readonly string[] {
  return table.get(sign.toLowerCase()) ?? BLANK
}
