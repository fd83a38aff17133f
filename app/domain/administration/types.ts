import type { UserView } from '../accounts/types'
import type { ActivityAction } from '../activity/types'
import type { ChatOccasion } from '../business/types'
import type { Right, UserRole } from '../context'
import type { Money } from '../payments/types'
import type { PlanName } from '../plans/types'
import type { AccountFields, ColumnName } from './account-fields'
import type { SoldAct } from './changes/sold-acts'
import type { Surprise } from './outcome'
import type { Ticks } from './ticks'

/** Numbers of accounts, and how many videos they generated this month. */
export type UserStats = {
  total: number
  admins: number
  editors: number
  users: number
  active: number
  totalVideos: number
}

/** An account as administrators see it. Only the mask of the token is shown. */
export type ManagedUser = UserView & AccountFields & { tokenMasked: string | null }

/**
 * A row of the users' page. A user without a password was imported and needs a link to set one. `noteLine`: the
 * first line of the note about them, usually a name; '' without one.
 */
export type ListedUser = ManagedUser & { hasPassword: boolean; noteLine: string }

/** When a customer was last written to in the chat, and on which occasion. */
export type Contact = { at: string; occasion: ChatOccasion }

/** An address that opens a customer's chat with a message in one of the operator's languages. */
export type ChatLinkView = { language: string; href: string }

/** What administrators keep about a customer. `language` is that of the chat texts. */
export type CustomerCard = { note: string; language: string | null; contact: Contact | null }

/** One page of accounts, and the total number. */
export type UserPage = {
  users: ListedUser[]
  page: number
  limit: number
  totalCount: number
  totalPages: number
}

/** Result of creating an account. The password is shown only once. */
export type CreatedUser = { user: ManagedUser; password: string } & Noted

/** Result of editing an account. */
export type EditedUser = { user: ManagedUser } & Noted

/** What surprises about what was sold, as sentences; missing if nothing does. */
type Noted = { notes?: string[] }

/** Result of the quick form. */
export type QuickUser = Noted & {
  username: string
  password: string
  expiryDate: string | null
  phone: string
  plan: PlanName
}

/** Result of one line or entry of an import. `notes`: which values of a line are not used as typed. */
export type ImportResult = {
  username: string
  success: boolean
  error?: string
  notes?: string[]
  /** What surprises about it and was ticked. */
  seen?: string[]
  /** What the line does, if it succeeds. */
  change?: 'create' | 'update' | 'same'
  /** The terms of a new account, or what changes of an account, old and new, as sentences. */
  changes?: string[]
}

type Message = { kind: 'success' | 'error' | 'info'; title: string; description?: string }

/**
 * Result of one line of the import form. `line` is its number, `passwordLink` where the user sets their
 * first password, if the line had none.
 */
export type ImportedLine = ImportResult & {
  line: number
  passwordLink?: string
  /** The user's id, and the languages in which the link can be sent in the chat. */
  chat?: { id: string; languages: readonly string[] }
}

/** A heading of an imported table, and what its column is taken for. Null: it is not used. */
export type ImportHeading = { text: string; column: ColumnName | null }

/** Result of the import form. `text` is the pasted text, for pages without scripts. */
export type ImportReport = {
  results: ImportedLine[]
  isCheck: boolean
  toast: Message | null
  text?: string
  /** The numbers of the imported lines, for a page that still has the text. */
  imported?: number[]
  /** Whether lines were allowed to change roles. */
  changesRoles?: boolean
  /** What surprises about the lines, and what of it was ticked. */
  surprises?: Surprise[]
  ticks?: Ticks
  /** The import as a change that can be undone. */
  changeId?: string
  /** The text of a file, to be put into the box. */
  fileText?: string
  /** What the columns of the table are taken for, if it has a heading that says it. */
  headings?: ImportHeading[]
}

/** Result of the Auto-Assign form. Tokens are masked. */
export type AssignResult = {
  toast: Message | null
  preview: {
    tokens: number
    users: number
    tokensUsed: number
    repeated: number
    lines: { username: string; token: string }[]
    /** Which pasted lines have the token of an earlier one, as sentences. */
    repeatedLines: string[]
  } | null
  text?: string
}

/** A deleted account that can still be restored. */
export type TrashedUser = {
  id: string
  username: string
  role: UserRole
  plan: PlanName | null
  videos: number
  deletedAt: string
  goneAt: string
}

/** Figures of the live cards: users online, and users with videos waiting or in progress. */
export type OnlineStats = { onlineUsers: number; generatingUsers: number }

/** An editor, and what they may do. */
export type Helper = {
  id: string
  username: string
  rights: readonly Right[]
  /** The largest payment to confirm, in whole units of the currency. Null: none. */
  confirmUpTo: number | null
  confirmCurrency: string | null
  /** What prepaid codes may be made of in a day, in the same units. Null: none. */
  codesUpTo: number | null
  /** How many failed videos they may regenerate in a day. */
  regeneratePerDay: number
}

/** Something that a helper did today. */
export type HelperAct = {
  id: string
  at: string
  actorName: string
  action: ActivityAction
  subjectName: string | null
  count: number
  /** What it gave a customer: the plan, and what was paid. */
  sold: SoldAct | null
}

/** What a helper sold today, in a line. */
export type HelperSales = { name: string; text: string }

/** What a helper asked for. `isApproved` is null while it waits. */
export type HelperRequest = {
  id: string
  helperName: string
  customerName: string
  count: number
  askedAt: string
  isApproved: boolean | null
}

/** A payment that a customer reports, as a helper sees it. */
export type HelperClaim = Money & {
  id: string
  username: string
  plan: PlanName
  reference: string | null
  receivedAt: string
  mayConfirm: boolean
  /** Whether a helper asked the administrators to decide it. */
  isAsked: boolean
  /** The customer typed no amount: it has the plan's price. */
  isUntyped: boolean
}

/** A claim that a helper asks the administrators to decide. */
export type AskedClaim = Money & {
  id: string
  username: string
  plan: PlanName
  askedBy: string
  receivedAt: string
}
