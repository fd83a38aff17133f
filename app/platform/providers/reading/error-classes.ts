import { wordsOf } from './json'
import type { SaidError } from './errors'

/** What an error is about, whatever its status and its spelling. */
export type ErrorClass =
  /** The account has nothing left to pay with. */
  | 'credits'
  /** The account is closed by the provider. */
  | 'suspended'
  /** The prompt or the clip was refused for its content. */
  | 'moderation'
  /** The key is wrong or no longer valid. */
  | 'key'
  /** Too many requests, or too many at once. */
  | 'rate'
  /** The model is not there. */
  | 'model'
  /** A clip that is not finished yet. */
  | 'not-ready'
  /** A clip or its address that is over. */
  | 'gone'
  /** The order is not there. */
  | 'missing'
  /** The server or the one behind it broke: what it did before is not known. */
  | 'broken'
  /** The server has no room at the moment. */
  | 'busy'
  /** The order itself is wrong. */
  | 'input'

/**
 * The table of classes: the first row with words that the code, the type or the message contain. Case,
 * `_` and camelCase do not matter. Rows that cost an account or a video something stand first and are
 * narrow; whatever no row knows is read by its status alone.
 */
const CLASSES: readonly (readonly [ErrorClass, RegExp])[] = [
  [
    'credits',
    /insufficient (user |account |api )?(quota|credit|balance|fund)|(not|n't) (have )?enough (\w+ )?(credit|balance|fund|quota)|(quota|balance|credits?|funds) (is |are |has been |have been |was )?(not enough|exhausted|depleted|insufficient|used up|too low|negative)|(out of|no (more )?|zero|low|negative) (credit|fund|balance)|credit balance|current quota|(daily|weekly|monthly) (\w+ )?(limit|quota|cap|allowance)|payment (is )?required|payment failed|billing|top ?up|recharge|arrears|overdue|spend(ing)? limit|prepayment|余额不足|额度不足|额度已用尽|欠费|配额不足/,
  ],
  [
    'suspended',
    /(account|organi[sz]ation|project|user|workspace|team)\b.{0,40}(suspend|deactivat|disabled|banned|blocked|locked|frozen|terminated|closed)|(suspended|deactivated|banned|disabled|blocked) (account|user|organi[sz]ation|workspace)|账[号户].{0,8}(封|禁|冻结)/,
  ],
  [
    'moderation',
    /moderat|content (policy|filter|violation|blocked|rejected|safety)|sentinel block|guardrail|\bsafety\b|usage (guideline|polic)|responsible ai|(?<!case )\bsensitive|nsfw|inappropriate|prohibited (content|use)|flagged|violat\w+ .{0,60}(polic|guideline|rules|terms)|risk control|敏感|违规|审核/,
  ],
  [
    'key',
    /(invalid|incorrect|wrong|expired|revoked|missing|malformed|unknown|bad) (api |access |auth |bearer )?(key|token|credential)|(api key|access token|bearer token|token) (\w+ ){0,3}(invalid|incorrect|expired|revoked|not valid|not found|disabled|does not exist)|unauthori[sz]ed|unauthenticated|not authenticated|authentication|令牌.{0,6}(无效|过期|禁用)|无效的?令牌/,
  ],
  [
    'rate',
    /rate limit|too many|throttl|requests? per (second|minute|hour)|\b(rpm|qps|tpm)\b|concurren\w* .{0,30}(limit|exceed|reach)|(limit|maximum|max)\w* .{0,30}(concurren|in flight|running|parallel)|slow down|频率|请求过多|并发/,
  ],
  [
    'model',
    /model (not found|mismatch|does not exist|unavailable|not exist)|model .{0,80}(not found|does not exist|no longer|is not (available|supported)|retired|deprecated)|(unknown|unsupported|invalid|no such) model|模型.{0,10}(不存在|下线)/,
  ],
  [
    'not-ready',
    /still (in progress|processing|running|generating|being)|not (yet )?(ready|complete|completed|available|finished|done|generated)|in progress|(is |being )(processing|generated|processed)|come back|too early|queued|pending|尚未|未完成/,
  ],
  [
    'gone',
    /expired|\bgone\b|(been|was|is) (deleted|removed|purged|archived)|no longer (available|exists?|stored)|已过期|已删除/,
  ],
  [
    'missing',
    /(task|job|video|order|generation|operation|prediction|request)( \S+)? (was |is |could )?(not (be )?(found|exist)|does not exist|unknown)|(unknown|no such|invalid) (task|job|video|order|generation|operation)|not found|任务不存在/,
  ],
  [
    'broken',
    /internal|time ?out|timed out|upstream|bad gateway|connection|unknown error|unexpected|server error|exception|do request failed/,
  ],
  [
    'busy',
    /overload|unavailable|high load|capacity|\bbusy\b|try again|no available channel|out of (resource|memory)|maintenance|繁忙|稍后|无可用/,
  ],
  [
    'input',
    /invalid|bad request|validation|unsupported|not supported|unknown (param|field|argument)|missing (required|param|field)|required|must be|out of range|too long|参数/,
  ],
]

/** Returns the class of an error by what it says, or null if no row of the table knows it. */
export function classOf({ code = '', type = '', message }: SaidError): ErrorClass | null {
  const said = wordsOf(`${code} | ${type} | ${message}`)
  return CLASSES.find(([, words]) => words.test(said))?.[0] ?? null
}

/** Returns the HTTP status that an error names as its code, or null. */
export function statusIn({ code = '' }: SaidError): number | null {
  return /^[45]\d\d$/.test(code) ? Number(code) : null
}
