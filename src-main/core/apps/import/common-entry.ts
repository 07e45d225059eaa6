import { type HostValue, isList, isTable } from '../apps/host-app'
import { membersOf } from '../files/bridge-entry'

type Members = Readonly<Record<string, HostValue | undefined>>

/** Translates an entry from its app's dialect; entries of other apps stay the same. */
export function commonEntry(hostId: string, value: HostValue): HostValue {
  const dialect = Object.hasOwn(DIALECTS, hostId) ? DIALECTS[hostId] : undefined
  return dialect && isTable(value) ? withoutGaps(dialect(value)) : value
}

/** Whether an entry runs inside the app and isn't a server. */
export function isPartOfHost(hostId: string, value: HostValue): boolean {
  const { type } = membersOf(value)
  return hostId === 'goose' && (type === 'builtin' || type === 'platform')
}

/** Translations of entries by app. */
const DIALECTS: Readonly<Record<string, (entry: Members) => Members>> = {
  // If an entry has both, the address counts.
  antigravity: ({ command, args, ...rest }) =>
    rest.serverUrl === undefined ? { ...rest, command, args } : rest,
  // This member only says whether the server starts with the app.
  anythingllm: ({ anythingllm: settings, ...rest }) => {
    const { autoStart: _, ...otherSettings } = membersOf(settings)
    const remaining = withoutGaps(otherSettings)
    return Object.keys(remaining).length > 0 ? { ...rest, anythingllm: remaining } : rest
  },
  // The transport may be a nested object.
  cline: ({ transport, ...rest }) =>
    typeof transport !== 'object' || isList(transport)
      ? { ...rest, transport }
      : { ...membersOf(transport), ...rest },
  codex: readCodex,
  // Headers are among the request options.
  continue: ({ requestOptions, ...rest }) => {
    const { headers, ...otherOptions } = membersOf(requestOptions)
    const options = withoutGaps(otherOptions)
    return {
      ...rest,
      headers: rest.headers ?? headers,
      requestOptions: Object.keys(options).length > 0 ? options : undefined,
    }
  },
  // The user enters the output of a shell command.
  crush: (entry) =>
    mapTexts(entry, (text) =>
      text.replace(/\$\(([^(){}]{1,200})\)/g, '${input:what the command $1 gives}'),
    ),
  'gemini-cli': sseByAddress,
  goose: readGoose,
  // Tool lists are in an object, whose include list overrides the exclude list.
  'hermes-agent': ({ tools, ...rest }) => {
    const { include, exclude } = membersOf(tools)
    return include === undefined ? { ...rest, excludeTools: exclude } : { ...rest, tools: include }
  },
  // A remote server has an empty command.
  jan: ({ command, args, ...rest }) =>
    command === '' && rest.url !== undefined ? rest : { ...rest, command, args },
  'oh-my-pi': ({ env, headers, ...rest }) => ({
    ...rest,
    env: resolved(env),
    headers: resolved(headers),
  }),
  'qwen-code': sseByAddress,
  // Warp's name for the working folder.
  warp: ({ working_directory: folder, ...rest }) => ({ ...rest, cwd: rest.cwd ?? folder }),
}

/** A text with a leading exclamation mark is a shell command; a bare variable name means the variable. */
function resolved(pairs: HostValue | undefined): HostValue | undefined {
  if (textPairs(pairs).length === 0) return pairs
  const texts = textPairs(pairs).map(([name, text]): [string, string] => {
    if (text === name) return [name, `\${${name}}`]
    return [name, text.replace(/^!([^{}]{1,200})$/u, '${input:what the command $1 gives}')]
  })
  const known: Record<string, string> = Object.fromEntries(texts)
  return { ...withoutGaps(membersOf(pairs)), ...known }
}

/** Codex names variables whose values are in its environment. */
function readCodex({
  env_vars: passed,
  bearer_token_env_var: bearer,
  env_http_headers: named,
  http_headers: headers,
  env,
  ...rest
}: Members): Members {
  const variables = textsOf(passed).map((name) => [name, `\${${name}}`] as const)
  const ofVariables = textPairs(named).map(([name, from]) => [name, `\${${from}}`] as const)
  const token =
    typeof bearer === 'string' ? [['Authorization', `Bearer \${${bearer}}`] as const] : []
  return {
    ...rest,
    env: withPairs(env, variables),
    headers: withPairs(headers, [...ofVariables, ...token]),
  }
}

/** `cmd` is only the program; the values of `env_keys` are in Goose's keychain. */
function readGoose({
  cmd,
  envs,
  env_keys: keys,
  uri,
  available_tools: tools,
  ...rest
}: Members): Members {
  const inputs = textsOf(keys).map((name) => [name, `\${input:${name}}`] as const)
  return {
    ...rest,
    command: rest.command ?? cmd,
    env: withPairs(rest.env ?? envs, inputs),
    url: rest.url ?? uri,
    // Goose exposes all tools if the list is empty.
    tools: isList(tools) && tools.length > 0 ? tools : undefined,
  }
}

/** `url` means the older SSE transport; the newer one has its own key, or is named. */
function sseByAddress(entry: Members): Members {
  const isSse = entry.url !== undefined && entry.httpUrl === undefined && entry.type === undefined
  return isSse ? { ...entry, type: 'sse' } : entry
}

/** Values in the file take precedence. A value of the wrong type is left for the parser to reject. */
function withPairs(
  own: HostValue | undefined,
  added: readonly (readonly [string, string])[],
): HostValue | undefined {
  if (added.length === 0) return own
  const isMap = own === undefined || own === null || isTable(own)
  return isMap ? { ...Object.fromEntries(added), ...withoutGaps(membersOf(own)) } : own
}

/** Returns the texts of a list; of `{ name }` the name. */
function textsOf(value: HostValue | undefined): string[] {
  const list = isList(value) ? value : []
  return list
    .map((one) => (typeof one === 'string' ? one : membersOf(one).name))
    .filter((name) => typeof name === 'string')
}

function textPairs(value: HostValue | undefined): [string, string][] {
  return Object.entries(membersOf(value)).flatMap(([name, text]) =>
    typeof text === 'string' ? [[name, text]] : [],
  )
}

function mapTexts(entry: Members, change: (text: string) => string): Members {
  const mapped = (value: HostValue): HostValue => {
    if (typeof value === 'string') return change(value)
    if (isList(value)) return value.map(mapped)
    if (!isTable(value)) return value
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, mapped(inner)]))
  }
  return membersOf(mapped(withoutGaps(entry)))
}

function withoutGaps(entry: Members): Readonly<Record<string, HostValue>> {
  return Object.fromEntries(
    Object.entries(entry).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  )
}
