import { ORDER_TEXTS, TEXT_NAMES, type TextName } from '../videos/order-fields'

/**
 * What a column contains. `likely`: prompts, unless another column is headed as such (`prompt`).
 */
export type Role = 'prompt' | 'likely' | 'ratio' | 'name' | 'picture' | TextName | 'other'

const BEFORE =
  'video|text|image|ai|main|final|positive|full|your|the|visual|scene|shot|clip|motion|animation|detailed|english|veo|sora|runway|generation|text to video|image to video|input'
/** A heading of the column of prompts, in plain words (`plainWords`). */
const PROMPT_HEADING = new RegExp(
  `^(?:(?:${BEFORE}) )?prompts?(?: (?:texts?|english|en|in english|for (?:the )?videos?|for ai|de vidéo|de vídeo|de video))?$`,
)
/** The word for a prompt in languages that do not write it as English does. */
const PROMPT_WORDS =
  'پرامپٹ پرومپٹ پرامپت برومبت موجه प्रॉम्प्ट प्राम्प्ट प्रोम्प्ट প্রম্পট промпт промт istem 提示词 プロンプト 프롬프트'

/** Other words with which people head their prompts, by language. */
const LIKELY_WORDS = [
  'scene|scenes|shot|shots|description|text|idea|ideas|caption|captions|script|visual|visuals|concept|story|narrative|content|scene description|shot description|visual description|video description|image description|video idea|video ideas|video text|video script|scene text|story line|storyline|what happens|what to show',
  'منظر|تفصیل|متن|خیال|اسکرپٹ|مشهد|وصف|الوصف|نص|النص|فكرة|توضیحات|دृश्य|दृश्य|विवरण|वर्णन|विचार|পাঠ্য|দৃশ্য|বর্ণনা',
  'escena|descripción|descripcion|texto|guion|guión|indicación|cena|descrição|descricao|roteiro|ideia',
  'scène|idée|texte|beschreibung|szene|idee|scena|descrizione|testo|deskripsi|adegan|teks|ide|sahne|açıklama|metin|fikir|сцена|описание|текст|идея',
].join('|')
const LIKELY_HEADING = new RegExp(`^(?:${LIKELY_WORDS})$`, 'u')

const RATIO_HEADING = /^(?:aspect ?ratio|ratio|aspect|orientation|format)$/

/**
 * The name of a video. A bare Scene or Shot is rather its prompt, and a bare File or Source names what
 * a video is made of.
 */
const NAME_HEADING = new RegExp(
  `^(?:${[
    '(?:(?:video|clip|scene|shot|file|output|output file|export|save as|final|the|your|short|working) )?(?:name|title|filename|label)s?',
    '(?:name|title) of (?:the )?(?:video|clip|file|scene|shot)s?|save as|clip ?name|file ?name|headline|heading',
    'tên|tên (?:video|clip|tệp|file|phim|cảnh)|tiêu đề|tiêu đề (?:video|clip)|đặt tên|ten|ten (?:video|clip|file|tep)|tieu de',
    'nombre|título|titulo|nombre del? (?:archivo|vídeo|video|clip)|título del? (?:vídeo|video|clip)|nome|nome (?:do|del) (?:arquivo|ficheiro|file|vídeo|video)|título do vídeo|titolo|nom|nom (?:du|de) (?:fichier|clip|la vidéo)|titre|titel|dateiname|bezeichnung|nama|nama (?:file|video|klip)|judul|judul video|adı|başlık|dosya adı|video adı|название|имя|имя файла|заголовок|название видео',
    'نام|عنوان|ٹائٹل|ویڈیو کا نام|فائل کا نام|اسم|اسم الملف|اسم الفيديو|عنوان الفيديو|नाम|शीर्षक|वीडियो का नाम|फ़ाइल का नाम|নাম|শিরোনাম|名称|名稱|标题|標題|文件名|视频名称|名前|タイトル|ファイル名|動画名|이름|제목|파일명|파일 이름|영상 제목',
  ].join('|')})$`.normalize('NFC'),
  'u',
)

/** The file name of a picture to make a video from, by language. */
const PICTURE_HEADING = new RegExp(
  `^(?:${[
    '(?:picture|image|photo)s?(?: (?:file|name|file ?name))?|(?:first|start|starting|source|input) (?:frame|image|picture|photo)',
    '(?:(?:nombre|archivo) de la )?(?:imagen|foto)|(?:(?:nome|arquivo|ficheiro) d[ae] )?(?:imagem|foto)|(?:(?:nom|fichier) de (?:la |l’?)?)?(?:photo|image)|(?:nome )?(?:immagine|foto)',
    'bild|bilddatei|foto|(?:nama )?(?:gambar|foto)|(?:resim|görsel|fotoğraf)(?: adı)?|изображение|картинка|фото|(?:tên )?(?:hình|ảnh|hình ảnh)|anh|hinh anh',
    'تصویر|تصویر کا نام|صورة|الصورة|اسم الصورة|عکس|छवि|चित्र|फोटो|फ़ोटो|तस्वीर|ছবি|图片|圖片|图像|图片名称|照片|画像|画像名|写真|이미지|이미지 이름|사진',
  ].join('|')})$`.normalize('NFC'),
  'u',
)

/** Words that head other columns in a table of prompts. */
const OTHER_HEADING =
  /^(?:|[nsr]o|nr|sr|num(?:ber)?|id|index|row|serial|day|date|time|topic|category|type|style|mood|genre|duration|length|seconds|language|voice|character|camera|location|setting|music|sound|audio|tags?|hashtags?|keywords?|notes?|comments?|remarks?|status|link|url|image|reference|ref|file|source|part|chapter|episode|series|project|client|user|owner|priority|model|seed|quality|resolution|size|width|height|fps)$/
/** Scene no, File name, Image URL. */
const AFTERWARDS = / (?:no|nr|num|number|id|name|names|url|link|code|type)$/

/** A heading without case, quotation marks, line breaks and underscores. */
const plainWords = (heading: string) =>
  heading
    .replace(/["'“”*:.#]/g, '')
    .replace(/[\s_-]+/g, ' ')
    .trim()
    .toLowerCase()

/** Returns what the column under a heading contains. */
export function roleOf(heading: string): Role {
  const words = plainWords(heading)
  if (PROMPT_HEADING.test(words) || (words !== '' && PROMPT_WORDS.split(' ').includes(words)))
    return 'prompt'
  if (RATIO_HEADING.test(words)) return 'ratio'
  if (PICTURE_HEADING.test(words.normalize('NFC'))) return 'picture'
  if (NAME_HEADING.test(words.normalize('NFC'))) return 'name'
  const text = TEXT_NAMES.find((name) => ORDER_TEXTS[name].heading.test(words))
  return text ?? (LIKELY_HEADING.test(words) ? 'likely' : 'other')
}

/** The heading is looked for in so many rows and columns. */
export const HEADING_ROWS = 5
export const MOST_COLUMNS = 1000
/** A heading has at most so many words. */
const HEADING_WORDS = 4

type Row = readonly string[]

/**
 * Returns which of the first rows is the heading, or -1: the first with a heading of prompts, or else
 * one with a word such as Scene. Such a word may begin a prompt too, so the other cells must be
 * headings as well. Where commas divide the cells, which prompts contain, they must be known ones.
 */
export function headingRow(rows: readonly Row[], isDividedByCommas: boolean): number {
  const first = rows.slice(0, HEADING_ROWS).map((row) => row.slice(0, MOST_COLUMNS))
  const sure = first.findIndex((row) => row.some((cell) => roleOf(cell) === 'prompt'))
  return sure >= 0
    ? sure
    : first.findIndex(
        (row) =>
          row.some((cell) => roleOf(cell) === 'likely') &&
          row.every((cell) => (isDividedByCommas ? isKnown(cell) : isShort(cell))),
      )
}

/** Returns whether a row is certainly the heading of several columns, one of them of prompts. */
export const isHeadingOfColumns = (row: Row): boolean =>
  row.length > 1 && row.some((cell) => roleOf(cell) === 'prompt') && row.every(isKnown)

const isShort = (cell: string) => plainWords(cell).split(' ').length <= HEADING_WORDS

function isKnown(cell: string): boolean {
  const words = plainWords(cell)
  const bare = words.replace(AFTERWARDS, '')
  return OTHER_HEADING.test(bare) || roleOf(words) !== 'other' || roleOf(bare) !== 'other'
}
