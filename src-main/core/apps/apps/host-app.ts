/** The computer that host apps are looked for on. */
export type HostPlace = {
  readonly platform: NodeJS.Platform
  /** Absolute. */
  readonly home: string
  readonly env: Readonly<Record<string, string | undefined>>
}

/** A value as JSON, TOML and YAML all have it. */
export type HostValue =
  | string
  | number
  | boolean
  | null
  | readonly HostValue[]
  | { readonly [key: string]: HostValue }

/** Tells a list from an object. */
export function isList(value: HostValue | undefined): value is readonly HostValue[] {
  return Array.isArray(value)
}

/** Tells an object from anything else. */
export function isTable(
  value: HostValue | undefined,
): value is Readonly<Record<string, HostValue>> {
  return typeof value === 'object' && value !== null && !isList(value)
}

/** Where in a file servers are listed, and how it is written. */
export type HostList = {
  /** The app takes comments and trailing commas in `jsonc`; of `json` that is not known, so a change of a file that has them says so. */
  readonly syntax: 'json' | 'jsonc' | 'toml' | 'yaml'
  /** The keys that lead to the list. */
  readonly keys: readonly string[]
  /** `map`: by name; `list`: entries with a `name` of their own. */
  readonly layout: 'map' | 'list'
}

type HostLaunch = {
  readonly command: string
  readonly args: readonly string[]
  /** Variables that the program needs beyond those of the app. */
  readonly env: Readonly<Record<string, string>>
  /** What the file calls the entry, `patchbay` where it is missing; some apps want it in the entry too. */
  readonly name?: string
}

/** An agent app that keeps a list of MCP servers in a file of its own. `docs/apps.md` names the pages and sources that say so. */
export type HostApp = {
  readonly hostId: string
  readonly name: string
  /** Files of the user, absolute: the first that is there counts; else the first whose folder is there; else the first of all. */
  readonly files: (place: HostPlace) => readonly string[]
  readonly list: HostList
  /** What a new file begins with, where the app wants more than the list. */
  readonly newFile?: string
  /** The file of a project folder, with `/` between its parts. */
  readonly folder?: { readonly file: string; readonly list: HostList }
  /** Files that servers are imported from as well, all that are there: of an older version, or of another part of the app. No entry is added to them. */
  readonly alsoReads?: {
    readonly files: (place: HostPlace) => readonly string[]
    /** Files of a project folder, with `/` between their parts. */
    readonly folder: readonly string[]
    readonly list: HostList
    readonly off: NonNullable<HostApp['off']>
  }
  /** Files or folders; any one of them says that the app is on this computer. */
  readonly traces: (place: HostPlace) => readonly string[]
  /** The entry of a program that is started and spoken to over stdio. */
  readonly entry: (launch: HostLaunch) => Readonly<Record<string, HostValue>>
  /** The member that switches an entry off in its place; an entry is taken out where there is none. */
  readonly off?: { readonly key: string; readonly value: HostValue }
  /**
   * What turns a server off beside `off`: `lists` of names under `mcp`, `names` under `disabledServers`, what `projects` name, or `none`;
   * missing where `disabled` and `enabled` of an entry count.
   */
  readonly switches?: 'lists' | 'names' | 'projects' | 'none'
  /** What makes the app read its file again, as a sentence. */
  readonly reload: string
  /** Whether it takes `$NAME` without braces for a variable of the environment; to the others it is text. */
  readonly expandsBareNames?: true
  /** It cannot parse a file that begins with a byte order mark. */
  readonly refusesMark?: true
  /** What makes its file of the user large, where it keeps more than settings there, and what helps, as sentences. */
  readonly documents?: string
  readonly toolLimit?: number
  /** Longest tool name that reaches its model, and what the app puts before each name of a server's tools. */
  readonly toolNames?: { readonly longest: number; readonly prefix: (entryName: string) => string }
}

/** The name of Patchbay's entry in an app's file, unless another server has it. */
export const ENTRY_NAME = 'patchbay'
/** Room for a tool's name in an app whose prefix is unknown, in characters: the least that known apps leave. */
const UNKNOWN_NAME_LIMIT = 48
/** An alias and the digits of a hash fit into it. */
const LEAST_NAME_LIMIT = 40

/** Characters that an app leaves for the name of a tool, by the name of the entry in its file. */
export function nameLimitOf({ toolNames }: Pick<HostApp, 'toolNames'>, entry = ENTRY_NAME): number {
  if (!toolNames) return UNKNOWN_NAME_LIMIT
  return Math.max(LEAST_NAME_LIMIT, toolNames.longest - toolNames.prefix(entry).length)
}
