import { describe, expect, test } from 'vitest'
import { VIDEO_LIMITS } from '../videos/rules'
import { promptsIn, readPastedTable, readPromptTable } from './prompt-file.server'
import { roleOf } from './prompt-headings'
import { withoutStamp } from './chat-stamps'
import { isForList } from './pasted-text'
import { marksOf } from './prompt-marks'

const read = (name: string, content: string | Uint8Array) =>
  readPromptTable({
    name,
    bytes: typeof content === 'string' ? new TextEncoder().encode(content) : content,
  })
const prompts = async (name: string, content: string | Uint8Array) =>
  promptsIn(await read(name, content))
const TWO = ['A red kite, over the sea', 'Two cats asleep']

describe('files of prompts as people have them', () => {
  test.each([
    [
      'a line sep=',
      'sep=;\r\nid;prompt;ratio\r\n1;A red kite, over the sea;portrait\r\n2;Two cats asleep;portrait\r\n',
    ],
    [
      'a blank first line',
      '\r\nid;prompt;ratio\r\n1;A red kite, over the sea;portrait\r\n2;Two cats asleep;portrait\r\n',
    ],
    [
      'empty cells in the first row',
      ',,\r\nid,prompt,ratio\r\n1,"A red kite, over the sea",portrait\r\n2,Two cats asleep,portrait\r\n',
    ],
    [
      'a title above the heading',
      'My list,,\r\n,,\r\nid,prompt,ratio\r\n1,"A red kite, over the sea",portrait\r\n2,Two cats asleep,portrait\r\n',
    ],
    [
      'the heading Video prompt',
      'No,Video prompt,Ratio\r\n1,"A red kite, over the sea",portrait\r\n2,Two cats asleep,portrait\r\n',
    ],
    [
      'the heading prompt_text',
      'No,prompt_text\r\n1,"A red kite, over the sea"\r\n2,Two cats asleep\r\n',
    ],
    [
      'a heading with a line break',
      'No,"Video\nprompt"\r\n1,"A red kite, over the sea"\r\n2,Two cats asleep\r\n',
    ],
    [
      'no heading, but numbered rows',
      '1,"A red kite, over the sea",portrait\r\n2,Two cats asleep,portrait\r\n',
    ],
    ['bars between its cells', 'id|prompt\n1|A red kite, over the sea\n2|Two cats asleep\n'],
    ['a line sep=|', 'sep=|\r\nid|prompt\r\n1|A red kite, over the sea\r\n2|Two cats asleep\r\n'],
    [
      'only separators at the end',
      'prompt;\r\nA red kite, over the sea;\r\nTwo cats asleep;\r\n;\r\n',
    ],
  ])('lists: a CSV with %s', async (_name, text) =>
    expect(await prompts('p.csv', text)).toEqual(TWO),
  )

  test.each([
    'Scene',
    'Scenes',
    'Shot',
    'Description',
    'Text',
    'Idea',
    'Caption',
    'Script',
    'Visual prompt',
    'Scene description',
    'What happens',
    'Escena',
    'Açıklama',
    'تفصیل',
    'विवरण',
  ])('lists: below the heading %s stand prompts, in one column and among others', async (word) => {
    expect(
      await prompts('p.csv', `${word}\r\nA red kite, over the sea\r\nTwo cats asleep\r\n`),
    ).toEqual(TWO)
    const rows = '1,"A red kite, over the sea",a\r\n2,Two cats asleep,b\r\n'
    expect(await prompts('p.csv', `No,${word},Notes\r\n${rows}`)).toEqual(TWO)
    const tabs = '1\tA red kite, over the sea\tx\r\n2\tTwo cats asleep\ty\r\n'
    expect(await prompts('p.tsv', `No\t${word}\tFarbe\r\n${tabs}`)).toEqual(TWO)
  })

  test('lists: of the columns Scene and Description the one with more text has the prompts', async () =>
    expect(await prompts('p.csv', 'Scene,Description\n1,A boat\n2,Snow falls\n')).toEqual([
      'A boat',
      'Snow falls',
    ]))

  test('lists: a first prompt that begins with such a word is no heading', async () => {
    const lines = ['Scene, a boat in the rain', 'Text, neon, at night', 'Two cats']
    expect(await prompts('p.csv', lines.join('\n'))).toEqual(lines)
  })

  test('lists: Negative Prompt is not the column of prompts', async () => {
    const table = await read(
      'p.csv',
      'Negative Prompt,Prompt\r\nrain,A red kite\r\nfog,Two cats\r\n',
    )
    expect(promptsIn(table)).toEqual(['A red kite', 'Two cats'])
    expect(table.columns.map(({ role }) => role)).toEqual(['negativePrompt', 'prompt'])
  })

  test('lists: a .tsv file of Google Sheets', async () =>
    expect(await prompts('p.tsv', 'id\tprompt\r\n1\tA red kite\r\n')).toEqual(['A red kite']))

  test.each([
    'sep=;\r\nid;prompt\r\n1;A red kite, over the sea\r\n2;Two cats asleep\r\n',
    '\r\nid;prompt;ratio\r\n1;A red kite, over the sea;portrait\r\n2;Two cats asleep;portrait\r\n',
    'No,Video prompt,Ratio\n1,"A red kite, over the sea",portrait\n2,Two cats asleep,portrait\n',
    'id|prompt\n1|A red kite, over the sea\n2|Two cats asleep\n',
    'My list;;\n\nid;Prompt (English);ratio\n1;A red kite, over the sea;\n2;Two cats asleep;\n',
  ])('lists: a CSV that was saved as .txt or .tsv: %j', async (text) => {
    expect(await prompts('p.txt', text)).toEqual(TWO)
    expect(await prompts('p.tsv', text)).toEqual(TWO)
  })

  test.each([
    ['Prompt, a red kite', 'Two cats'],
    ['A red kite; prompt', 'Two cats'],
    ['A {red|blue} kite', 'Two cats'],
    ['Prompt', 'Two cats'],
  ])('lists: a .txt of lines that begins with %j stays one of lines', async (...lines) =>
    expect(await prompts('p.txt', lines.join('\n'))).toEqual(lines),
  )

  test('lists: a cell in quotation marks in a .txt of one column, with doubled ones', async () =>
    expect(await prompts('p.txt', 'Two cats\n"He said ""go"" and ran"\n')).toEqual([
      'Two cats',
      'He said "go" and ran',
    ]))

  test("lists: Excel's Unicode Text, with its doubled quotation marks", async () => {
    const text =
      '\uFEFF"A red kite, over the sea"\r\n"He said ""go"" and ran"\r\nTwo cats asleep\r\n'
    expect(await prompts('p.txt', new Uint8Array(Buffer.from(text, 'utf16le')))).toEqual([
      'A red kite, over the sea',
      'He said "go" and ran',
      'Two cats asleep',
    ])
  })

  test('lists: a line break in a cell stays in its prompt', async () =>
    expect(await prompts('p.csv', 'id,prompt\n1,"A boat\r\n  in the rain"')).toEqual([
      'A boat\nin the rain',
    ]))

  test('lists: Arabic in Windows-1256 is read, in doubt, and can be read otherwise', async () => {
    const bytes = Uint8Array.from(
      Buffer.from(
        'd8c7c6d1c920e6d1dec9c920dde6de20c7e1c8cdd10d0aded8cac7e420e4c7c6e3cac7e40d0a',
        'hex',
      ),
    )
    const table = await read('p.txt', bytes)
    expect(table).toMatchObject({ encoding: 'windows-1256', isDoubtful: true })
    expect(promptsIn(table)[1]).toBe('قطتان نائمتان')
    const other = await readPromptTable({ name: 'p.txt', bytes, encoding: 'windows-1251' })
    expect(promptsIn(other)).toHaveLength(2)
  })

  test.each(['p.xls', 'p.xlsb', 'p.ods', 'p.numbers'])('lists: %s: how to save it', (name) =>
    expect(read(name, 'PK')).rejects.toThrow(
      /^This kind of workbook is not read\. Save it as \.xlsx or CSV/,
    ),
  )

  test('a binary file with a wrong name is refused, whatever its bytes', () =>
    expect(
      read(
        'p.txt',
        Uint8Array.from({ length: 300 }, (_, i) => (i * 7) % 256),
      ),
    ).rejects.toThrow('p.txt is not a text file'))
})

describe('pasted cells', () => {
  test('lists: tabs are columns, quoted cells keep their line breaks and tabs', async () => {
    const table = await readPastedTable(
      'No\tPrompt\tName\n1\t"A boat\nin the rain"\tone\n2\tSnow\ttwo',
    )
    expect(promptsIn(table)).toEqual(['A boat\nin the rain', 'Snow'])
    expect(table.columns.map(({ heading }) => heading)).toEqual(['No', 'Prompt', 'Name'])
  })

  test('lists: without a heading the longest column has the prompts', async () =>
    expect(promptsIn(await readPastedTable('1\tA boat in the rain\n2\tSnow, falling'))).toEqual([
      'A boat in the rain',
      'Snow, falling',
    ]))

  test('lists: a quotation mark of the author is no cell', async () =>
    expect(promptsIn(await readPastedTable('1\t"Go, he said\n2\tSnow in the night'))).toEqual([
      '"Go, he said',
      'Snow in the night',
    ]))

  test.each([
    ['A boat\nSnow', false],
    ['\tA boat\t', false],
    ['{"scene":\t"x"}', false],
    ['1\tA boat', true],
    ['Snow\n"A boat\nin the ""rain"" now"\nFog', true],
    ['"A boat"\n"Snow"', false],
    ['"Go, he said\nSnow', false],
    ['"He said ""go"" and ran"\nSnow', true],
    ['""\n""Snow""', false],
    ['A postcard of {city}', true],
    ['{"scene": "x", "mood": {"is": "calm"}}', false],
    ['A kite\n[9:42 PM, 11/24/2026] Sara: A boat', true],
  ])('lists: %j is looked through first: %s', (text, is) => expect(isForList(text)).toBe(is))

  test('lists: cells of one column keep their line breaks', async () =>
    expect(promptsIn(await readPastedTable('"A boat\nin the ""rain"" now"\nSnow\n'))).toEqual([
      'A boat\nin the "rain" now',
      'Snow',
    ]))
})

describe('rows that may be no prompts', () => {
  test('lists: headings, repeated rows, links, chat stamps and long ones are marked', () =>
    expect(
      marksOf(
        [
          'Prompts',
          'A boat',
          ' a  BOAT',
          'https://example.com/a.mp4',
          '[12/05/2026, 10:33] Ali: A kite',
          'Ideas for May:',
          'x'.repeat(VIDEO_LIMITS.promptCharacters + 1),
          '3. A dog',
          '• a dog',
          '“A cat”',
          'A postcard of {city}',
        ].map((prompt) => ({ prompt })),
      ),
    ).toEqual([
      ['heading'],
      [],
      ['duplicate'],
      ['link'],
      ['stamp'],
      ['heading'],
      ['long'],
      ['sign'],
      ['duplicate', 'sign'],
      ['sign'],
      ['place'],
    ]))

  test.each([
    ['[12/05/2026, 10:33] Ali: A kite', 'A kite'],
    ['[10:33, 12/05/2026] Ali: A kite', 'A kite'],
    ['[12/05, 10:33] Ali: A kite', 'A kite'],
    ['12/05, 10:33: a kite in the evening', '12/05, 10:33: a kite in the evening'],
    ['[9:03 PM, 5/12/2026] +92 300 1234567: A kite', 'A kite'],
    ['12.05.26, 10:33 - Ali Bhai: A kite', 'A kite'],
    ['12/5/26, 9:03 PM - Ali: A kite: red', 'A kite: red'],
    ['[2026-05-12, 10:33:01] +92 300 1234567: A kite', 'A kite'],
    ['Sara Khan, [24.11.2026 21:42]: A kite', 'A kite'],
    ['Sara Khan, [24.11.2026 21:42]', ''],
    ['Sara, [24 Nov 2026 at 21:42:10]:', ''],
    ['24/11/2026, 21:42 - Sara: A kite', 'A kite'],
    ['[24/11/2026, 9:42:13\u202fPM] Sara: A kite', 'A kite'],
    ['\u200e[24/11/2026, 21:42:13] Sara: \u200eimage omitted', ''],
    ['24/11/26, 9:42 p. m. - Sara: <Media omitted>', ''],
    ['٢٤/١١/٢٠٢٦، ٩:٤٢ م - سارة: طائرة ورقية', 'طائرة ورقية'],
    ['[21:42] Sara: A kite', 'A kite'],
    ['[21:42] A kite rises', '[21:42] A kite rises'],
    ['A kite at 10:33: red', 'A kite at 10:33: red'],
    ['3. A kite', '3. A kite'],
  ])('lists: %j without its stamp', (typed, text) => expect(withoutStamp(typed)).toBe(text))

  test.each([
    ['Prompt', 'prompt'],
    ['"prompts"', 'prompt'],
    ['Video Prompt:', 'prompt'],
    ['Aspect_Ratio', 'ratio'],
    ['VideoPrompt', 'prompt'],
    ['Prompt (English)', 'prompt'],
    ['{prompt}', 'other'],
    ['negative prompt', 'negativePrompt'],
    ['Visual prompt', 'prompt'],
    ['پرامپٹ', 'prompt'],
    ['प्रॉम्प्ट', 'prompt'],
    ['Prompt No', 'other'],
    ['Scene', 'likely'],
    ['Descripción', 'likely'],
    ['منظر', 'likely'],
    ['दृश्य', 'likely'],
    ['A prompt little boat', 'other'],
    ['File', 'other'],
    ['Client name', 'other'],
    ['Image file name', 'picture'],
  ])('lists: the heading %j is for %s', (heading, role) => expect(roleOf(heading)).toBe(role))

  test.each(
    'Name|TITLE|"Video title":|File_name|filename|Clip name|Scene title|Save as|Output file name|Name of the video|Headline|Tên|Tên video|Tên file|TÊN TỆP|Tiêu đề|Nombre|Título del vídeo|Nome do arquivo|Nom du fichier|Titel|Judul|Название|نام|عنوان|اسم الملف|नाम|शीर्षक|文件名|タイトル|파일명'.split(
      '|',
    ),
  )('U-BULK-12: the heading %j is for names, also with decomposed letters', (heading) => {
    expect(roleOf(heading)).toBe('name')
    expect(roleOf(heading.normalize('NFD'))).toBe('name')
  })

  test.each(
    "Picture|Image_file|Start frame|Imagen|Nombre de la imagen|Imagem|Nome da foto|Nom de l’image|Fichier de l'image|Immagine|Bild|Gambar|Görsel|Картинка|Hình ảnh|Tên ảnh|تصویر|الصورة|तस्वीर|ছবি|图片|画像|이미지".split(
      '|',
    ),
  )('U-I2V-28: the heading %j is for pictures, also with decomposed letters', (heading) => {
    expect(roleOf(heading)).toBe('picture')
    expect(roleOf(heading.normalize('NFD'))).toBe('picture')
  })

  test('U-BULK-12: rows with one prompt are repeated whatever their names', () => {
    const rows = ['one', 'two'].map((name) => ({ prompt: 'A boat', own: { name } }))
    expect(marksOf(rows)).toEqual([[], ['duplicate']])
  })
})
