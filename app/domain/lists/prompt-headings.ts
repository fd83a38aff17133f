import { headingReader, type HeadingTest } from '~/lib/table'
import { ORDER_TEXTS, TEXT_NAMES, type TextName } from '../videos/order-fields'

/**
 * What a column contains. `likely`: prompts, unless another column is headed as such (`prompt`).
 */
export type Role = 'prompt' | 'likely' | 'ratio' | 'name' | 'picture' | 'end' | TextName | 'other'

const BEFORE =
  'video|text|image|ai|main|final|positive|full|your|the|visual|scene|shot|clip|motion|animation|detailed|english|veo|sora|runway|generation|text to video|image to video|input'
/** Also the word for a prompt in languages that do not write it as English does. */
const PROMPT = [
  `(?:${BEFORE})?prompts?(?:texts?|english|en|in english|for (?:the )?videos?|for ai|de vidéo|de vídeo|de video)?`,
  'پرامپٹ|پرومپٹ|پرامپت|برومبت|موجه|प्रॉम्प्ट|प्राम्प्ट|प्रोम्प्ट|প্রম্পট|промпт|промт|istem|提示词|プロンプト|프롬프트',
]

/** Other words with which people head their prompts, by language. */
const LIKELY = [
  'scenes?|shots?|description|text|ideas?|captions?|script|visuals?|concept|story|narrative|content|(?:scene|shot|visual|video|image) description|video ideas?|video text|video script|scene text|story line|what happens|what to show',
  'منظر|تفصیل|متن|خیال|اسکرپٹ|مشهد|وصف|الوصف|نص|النص|فكرة|توضیحات|दृश्य|दृश्य|विवरण|वर्णन|विचार|পাঠ্য|দৃশ্য|বর্ণনা',
  'escena|descripción|descripcion|texto|guion|guión|indicación|cena|descrição|descricao|roteiro|ideia',
  'scène|idée|texte|beschreibung|szene|idee|scena|descrizione|testo|deskripsi|adegan|teks|ide|sahne|açıklama|metin|fikir|сцена|описание|текст|идея',
]

/**
 * The name of a video. A bare Scene or Shot is rather its prompt, and a bare File or Source names what
 * a video is made of.
 */
const NAME = [
  '(?:video|clip|scene|shot|file|output|output file|export|save as|final|the|your|short|working)?(?:name|title|filename|label)s?',
  '(?:name|title) of (?:the )?(?:video|clip|file|scene|shot)s?|save as|headline|heading',
  'tên|tên (?:video|clip|tệp|file|phim|cảnh)|tiêu đề|tiêu đề (?:video|clip)|đặt tên|ten|ten (?:video|clip|file|tep)|tieu de',
  'nombre|título|titulo|nombre del? (?:archivo|vídeo|video|clip)|título del? (?:vídeo|video|clip)|nome|nome (?:do|del) (?:arquivo|ficheiro|file|vídeo|video)|título do vídeo|titolo|nom|nom (?:du|de) (?:fichier|clip|la vidéo)|titre|titel|dateiname|bezeichnung|nama|nama (?:file|video|klip)|judul|judul video|adı|başlık|dosya adı|video adı|название|имя|имя файла|заголовок|название видео',
  'نام|عنوان|ٹائٹل|ویڈیو کا نام|فائل کا نام|اسم|اسم الملف|اسم الفيديو|عنوان الفيديو|नाम|शीर्षक|वीडियो का नाम|फ़ाइल का नाम|নাম|শিরোনাম|名称|名稱|标题|標題|文件名|视频名称|名前|タイトル|ファイル名|動画名|이름|제목|파일명|파일 이름|영상 제목',
]

/** The file name of a picture to make a video from, by language. */
const PICTURE = [
  '(?:picture|image|photo)s?(?:file|name|file name)?|(?:first|start|starting|source|input) (?:frame|image|picture|photo)',
  '(?:(?:nombre|archivo) de la )?(?:imagen|foto)|(?:(?:nome|arquivo|ficheiro) d[ae] )?(?:imagem|foto)|(?:(?:nom|fichier) de l?a?)?(?:photo|image)|(?:nome )?(?:immagine|foto)',
  'bild|bilddatei|foto|(?:nama )?(?:gambar|foto)|(?:resim|görsel|fotoğraf)(?: adı)?|изображение|картинка|фото|(?:tên )?(?:hình|ảnh|hình ảnh)|anh|hinh anh',
  'تصویر|تصویر کا نام|صورة|الصورة|اسم الصورة|عکس|छवि|चित्र|फोटो|फ़ोटो|तस्वीर|ছবি|图片|圖片|图像|图片名称|照片|画像|画像名|写真|이미지|이미지 이름|사진',
]

/** The file name of a picture with which a video ends. */
const END_PICTURE = [
  '(?:end|ending|last|final|closing|tail) ?(?:picture|image|photo|frame)(?:file|name|file name)?',
  '(?:última|ultima) (?:imagen|foto|imagem)|imagen final|imagem final|dernière (?:image|photo)|image de fin|letztes bild|endbild|ultima (?:immagine|foto)|gambar (?:akhir|terakhir)|son (?:resim|görsel)|последний кадр|(?:hình|ảnh) cuối',
  'آخری تصویر|الصورة الأخيرة|अंतिम (?:छवि|चित्र|फोटो)|শেষ ছবি|尾帧|最后图片|末尾画像|마지막 이미지',
]

const readHeading = headingReader<Exclude<Role, 'other'>>([
  ['prompt', PROMPT.join('|')],
  ['ratio', 'aspect ratio|ratio|aspect|orientation|format'],
  ['picture', PICTURE.join('|')],
  ['end', END_PICTURE.join('|')],
  ['name', NAME.join('|')],
  ...TEXT_NAMES.map((name) => [name, ORDER_TEXTS[name].headings] as const),
  ['likely', LIKELY.join('|')],
])

/** Words that head other columns in a table of prompts. */
const readOther = headingReader([
  [
    'other',
    '[nsr]o|nr|sr|num(?:ber)?|id|index|row|serial|day|date|time|topic|category|type|style|mood|genre|duration|length|seconds|language|voice|character|camera|location|setting|music|sound|audio|tags?|hashtags?|keywords?|notes?|comments?|remarks?|status|link|url|image|reference|ref|file|source|part|chapter|episode|series|project|client|user|owner|priority|model|seed|quality|resolution|size|width|height|fps',
  ],
])
/** Scene no, File name, Image URL. */
const AFTERWARDS = /[\s_-](?:no|nr|num|number|id|names?|url|link|code|type)\W*$/i

/** Returns what the column under a heading contains. */
export const roleOf = (heading: string): Role => readHeading(heading) ?? 'other'

/** A heading has at most so many words. */
const HEADING_WORDS = 4
const isShort = (cell: string) =>
  cell.trim().split(/[\s_-]+/, HEADING_WORDS + 1).length <= HEADING_WORDS

function isKnown(cell: string): boolean {
  const isOne = (text: string) => readHeading(text) !== null || readOther(text) !== null
  return cell.trim() === '' || isOne(cell) || isOne(cell.replace(AFTERWARDS, ''))
}

const hasPrompt: HeadingTest = (cells) => cells.some((cell) => roleOf(cell) === 'prompt')

/**
 * How the heading of prompts is found: it names them, or else it has a word such as Scene. Such a word may
 * begin a prompt too, so the other cells must be headings as well. Where commas divide the cells, which
 * prompts contain, they must be known ones.
 */
export const PROMPT_HEADINGS: readonly HeadingTest[] = [
  hasPrompt,
  (cells, sign) =>
    cells.some((cell) => roleOf(cell) === 'likely') &&
    cells.every(sign === ',' ? isKnown : isShort),
]

/** Tells the heading of several columns, one of them of prompts. Tabs are found without it. */
export const isHeadingOfColumns: HeadingTest = (cells, sign) =>
  sign !== '\t' && cells.length > 1 && hasPrompt(cells, sign) && cells.every(isKnown)
