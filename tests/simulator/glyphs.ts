// Signs of 3x5 dots, a line each; dots of the picture are 16 pixels large.
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

/** The five rows of a sign; blank for signs that are not drawn. */
export function glyph(sign: string): readonly string[] {
  return table.get(sign.toLowerCase()) ?? BLANK
}
