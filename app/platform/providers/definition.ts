import type { z } from 'zod'
import { problemsIn } from '../setting-fields'
import type { Settings } from '../settings'
import type { ProviderIo, Stoppable } from './io'
import type { VideoProvider } from './port'

/** What an adapter may use of the process that creates it. */
export type ProviderHost = ProviderIo & {
  /** Multiplies the adapter's own waits. */
  timeScale: number
  /** The folder for the product's own files. */
  dataDir: string
  /** The folder of the built programs. */
  buildDir: string
}

export type OpenProvider = VideoProvider & Partial<Stoppable>

/** The settings of a provider: how they are read, and the adapter's configuration made of them. */
export type ProviderSettings<Values extends object, Config> = {
  /** The beginning of the names of its own settings, or null if it has none of its own. */
  prefix: string | null
  /** One field per setting, each with its own message for an invalid value. */
  schema: z.ZodObject<z.ZodRawShape, z.UnknownKeysParam, z.ZodTypeAny, Values>
  /** Returns the problems of valid settings in combination, in words. */
  problems(values: Values): string[]
  configOf(values: Values, host: ProviderHost): Config
}

/** What a provider has read of the settings. */
type Reading = {
  /** The problems of single settings, in words. */
  invalid: string[]
  /** The problems of the other settings in combination: they count if this provider is selected. */
  problems: string[]
  /** The settings by name; none if a setting is invalid. */
  values: readonly (readonly [name: string, value: unknown])[]
  /** Null if a setting is invalid. Connects on first use. */
  create: ((host: ProviderHost) => OpenProvider) | null
}

/** A provider as the registry lists it. */
export type ProviderDefinition = {
  /** Selects it in VIDEO_PROVIDER; its orders are stored with it. */
  name: string
  /** The names of all settings that it reads. */
  settingNames: readonly string[]
  read(given: Settings): Reading
}

/** Defines a provider by its name, its settings and its adapter. */
export function defineProvider<Values extends object, Config>(
  name: string,
  settings: ProviderSettings<Values, Config>,
  openAdapter: (config: Config, io: ProviderIo) => OpenProvider,
): ProviderDefinition {
  const { schema, problems, configOf } = settings
  const settingNames = Object.keys(schema.shape)
  /** A misspelt limit would otherwise have no effect. */
  const unknownNames = (given: Settings): string[] =>
    Object.keys(given)
      .filter((key) => settings.prefix !== null && key.startsWith(settings.prefix))
      .filter((key) => !settingNames.includes(key))
      .map((key) => `${key} is not a setting; look for its right name in .env.example`)

  const readable = (given: Settings, values: Values): Reading => ({
    invalid: [],
    problems: [...unknownNames(given), ...problems(values)],
    values: Object.entries(values),
    create: (host) => openAdapter(configOf(values, host), host),
  })

  return {
    name,
    settingNames,
    read(given) {
      const read = schema.safeParse(given)
      if (read.success) return readable(given, read.data)
      // The readable settings are checked as well, so that all problems are reported together.
      const bad = read.error.issues.map(({ path: [key] }) => String(key))
      const rest = Object.fromEntries(Object.entries(given).filter(([key]) => !bad.includes(key)))
      const others = schema.safeParse(rest)
      const found = others.success ? readable(rest, others.data).problems : []
      return {
        invalid: problemsIn(read.error),
        problems: found.filter((text) => !bad.some((key) => text.startsWith(`${key} is required`))),
        values: [],
        create: null,
      }
    },
  }
}
