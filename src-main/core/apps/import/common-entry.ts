import { type HostValue, isList, isTable } from '../apps/host-app'
import { membersOf } from '../files/bridge-entry'

type Members = Readonly<Record<string, HostValue | undefined>>

/** What an app calls in its own words, in those that the reader of configurations knows; of other apps nothing. */
export function commonEntry(hostId: string, value: HostValue): HostValue {
  const dialect = Object.hasOwn(DIALECTS, hostId) ? DIALECTS[hostId] : undefined
  return dialect && isTable(value) ? withoutGaps(dialect(value)) : value
}

/** True for what runs inside of the app, and is no server of its own. */
export function isPartOfHost(hostId: string, value: HostValue): boolean {
  const { type } = membersOf(value)
  return hostId === 'goose' && (type === 'builtin' || type === 'platform')
}

/** What makes entries of an app those that the reader of configurations knows. */
const DIALECTS: Readonly<Record<string, (entry: Members) => Members>> = {
  // Where an entry has both, the address runs.
  antigravity: ({ command, args, ...rest }) =>
    rest.serverUrl === undefined ? { ...rest, command, args } : rest,
  // What it keeps for itself says only whether the server starts with the app.
  anythingllm: ({ anythingllm: own, ...rest }) => {
    const { autoStart: _, ...others } = membersOf(own)
    const left = withoutGaps(others)
    return Object.keys(left).length > 0 ? { ...rest, anythingllm: left } : rest
  },
  // How a server is reached may stand in an object of its own.
  cline: ({ transport, ...rest }) =>
    typeof transport !== 'object' || isList(transport)
      ? { ...rest, transport }
      : { ...membersOf(transport), ...rest },
  codex: readCodex,
  // Headers stand among the options of requests.
  continue: ({ requestOptions, ...rest }) => {
    const { headers, ...others } = membersOf(requestOptions)
    const options = withoutGaps(others)
    return {
      ...rest,
      headers: rest.headers ?? headers,
      requestOptions: Object.keys(options).length > 0 ? options : undefined,
    }
  },
  // What a command of the shell would give is asked for.
  crush: (entry) =>
    mapTexts(entry, (text) =>
      text.replace(/\$\(([^(){}]{1,200})\)/g, '${input:what the command $1 gives}'),
    ),
  'gemini-cli': sseByAddress,
  goose: readGoose,
  // Lists of tools stand in an object, in which the list of shown ones counts alone.
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
  // Its name for the folder that a server runs in.
  warp: ({ working_directory: folder, ...rest }) => ({ ...rest, cwd: rest.cwd ?? folder }),
}

/** A text that begins with an exclamation mark is a command of the shell; the name of a variable alone stands for it. */
function resolved(pairs: HostValue | undefined): HostValue | undefined {
  if (textPairs(pairs).length === 0) return pairs
  const texts = textPairs(pairs).map(([name, text]): [string, string] => {
    if (text === name) return [name, `\${${name}}`]
    return [name, text.replace(/^!([^{}]{1,200})$/u, '${input:what the command $1 gives}')]
  })
  const known: Record<string, string> = Object.fromEntries(texts)
  return { ...withoutGaps(membersOf(pairs)), ...known }
}

/** Variables are named whose values stand in the environment of Codex. */
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

/** `cmd` is the program alone; the values of `env_keys` are in the keychain of Goose. */
function readGoose({
  cmd,
  envs,
  env_keys: keys,
  uri,
  available_tools: tools,
  ...rest
}: Members): Members {
  const asked = textsOf(keys).map((name) => [name, `\${input:${name}}`] as const)
  return {
    ...rest,
    command: rest.command ?? cmd,
    env: withPairs(rest.env ?? envs, asked),
    url: rest.url ?? uri,
    // Goose shows all of them where the list is empty.
    tools: isList(tools) && tools.length > 0 ? tools : undefined,
  }
}

/** `url` is the older transport there; the newer one has a key of its own, or is said. */
function sseByAddress(entry: Members): Members {
  const isSse = entry.url !== undefined && entry.httpUrl === undefined && entry.type === undefined
  return isSse ? { ...entry, type: 'sse' } : entry
}

/** What the file gives as a value of its own counts. What is no map is left for the reader to reject. */
function withPairs(
  own: HostValue | undefined,
  added: readonly (readonly [string, string])[],
): HostValue | undefined {
  if (added.length === 0) return own
  const isMap = own === undefined || own === null || isTable(own)
  return isMap ? { ...Object.fromEntries(added), ...withoutGaps(membersOf(own)) } : own
}

/** The texts of a list; of `{ name }` in it the name. */
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
