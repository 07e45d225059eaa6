/** The computer on which apps are searched. */
export type PathContext = {
  readonly platform: NodeJS.Platform
  /** Absolute path. */
  readonly home: string
  readonly env: Readonly<Record<string, string | undefined>>
}

/** A value that JSON, TOML and YAML have in common. */
export type HostValue =
  | string
  | number
  | boolean
  | null
  | readonly HostValue[]
  | { readonly [key: string]: HostValue }

/** Whether a value is a list. */
export function isList(value: HostValue | undefined): value is readonly HostValue[] {
  return Array.isArray(value)
}

/** Whether a value is an object. */
export function isTable(
  value: HostValue | undefined,
): value is Readonly<Record<string, HostValue>> {
  return typeof value === 'object' && value !== null && !isList(value)
}

/** The location and format of a server list in a file. */
export type HostList = {
  /** Apps accept comments and trailing commas in `jsonc`. For `json` that is unknown, so a change of a file that has them warns. */
  readonly syntax: 'json' | 'jsonc' | 'toml' | 'yaml'
  /** Keys that lead to the list. */
  readonly keys: readonly string[]
  /** `map`: by name; `list`: entries with a `name` member. */
  readonly layout: 'map' | 'list'
}

type HostLaunch = {
  readonly command: string
  readonly args: readonly string[]
  /** Additional variables for the program. */
  readonly env: Readonly<Record<string, string>>
  /** Name of the entry in the file, `patchbay` if absent; some apps want it in the entry, too. */
  readonly name?: string
}

/** An app that keeps a list of MCP servers in its own file. `docs/apps.md` names the sources. */
export type HostApp = {
  readonly hostId: string
  readonly name: string
  /**
   * Absolute paths of the user's files: the first existing one counts, otherwise the first with an existing folder, otherwise the first.
   */
  readonly files: (context: PathContext) => readonly string[]
  readonly list: HostList
  /** Start of a new file, if the app needs more than the list. */
  readonly newFile?: string
  /** Path in a project folder, separated by `/`. */
  readonly folder?: { readonly file: string; readonly list: HostList }
  /** More files to import servers from, all that exist: of an older version, or of another part of the app. No entry is added to them. */
  readonly alsoReads?: {
    readonly files: (context: PathContext) => readonly string[]
    /** Paths in a project folder, separated by `/`. */
    readonly folder: readonly string[]
    readonly list: HostList
    readonly off: NonNullable<HostApp['off']>
  }
  /** Files or folders, any of which shows that the app is installed. */
  readonly traces: (context: PathContext) => readonly string[]
  /** Builds the entry of a program that runs over stdio. */
  readonly entry: (launch: HostLaunch) => Readonly<Record<string, HostValue>>
  /** The member that turns an entry off; without it, turning off removes the entry. */
  readonly off?: { readonly key: string; readonly value: HostValue }
  /**
   * Other ways to turn a server off: `lists` of names under `mcp`, `names` under `disabledServers`, `projects` by their own lists, or
   * `none`. If absent, an entry's `disabled` and `enabled` count.
   */
  readonly switches?: 'lists' | 'names' | 'projects' | 'none'
  /** How to make the app read its file again, as a sentence. */
  readonly reload: string
  /** Whether it expands `$NAME` without braces; other apps treat that as text. */
  readonly expandsBareNames?: true
  /** Whether it can't parse a file with a byte order mark. */
  readonly refusesMark?: true
  /** Why the user's file gets large and how to fix that, as sentences; set if it holds more than settings. */
  readonly documents?: string
  readonly toolLimit?: number
  /** Longest tool name that reaches the app's model, and the prefix that the app adds to a server's tools. */
  readonly toolNames?: { readonly longest: number; readonly prefix: (entryName: string) => string }
}

/** Name of Patchbay's entry in an app's file, unless another server has it. */
export const ENTRY_NAME = 'patchbay'
/** Limit for a tool's name in an app with an unknown prefix, in characters: the lowest of the known apps. */
const UNKNOWN_NAME_LIMIT = 48
/** Fits an alias and the digits of a hash. */
const MIN_NAME_LIMIT = 40

/** Returns the number of characters that an app leaves for a tool's name, given the entry's name in its file. */
export function nameLimitOf({ toolNames }: Pick<HostApp, 'toolNames'>, entry = ENTRY_NAME): number {
  if (!toolNames) return UNKNOWN_NAME_LIMIT
  return Math.max(MIN_NAME_LIMIT, toolNames.longest - toolNames.prefix(entry).length)
}
