import { programName } from '../launch/environment/manager-variables'
import { pairOf, type RawPair } from './entry-reading'

/** A remote server that a local program only proxies to stdio. */
export type WrappedRemote = {
  /** The program for display: `mcp-remote`. */
  readonly wrapper: string
  readonly type: 'streamable-http' | 'sse'
  readonly url: string
  readonly headers: readonly RawPair[]
  readonly oauth:
    | { readonly clientInfo: string; readonly redirectUrl: string | undefined }
    | undefined
}

type Env = readonly RawPair[]
type Wrapper = (args: readonly string[], env: Env) => Omit<WrappedRemote, 'wrapper'> | undefined

const ADDRESS = /^https?:\/\/\S+$/iu
/** Programs that run the package in their arguments, with the preceding words. */
const FETCHERS: readonly RegExp[] = [
  /^(?:npx|bunx|pnpx|uvx)$/u,
  /^(?:pnpm|yarn) dlx$/u,
  /^(?:bun) x$/u,
  /^npm (?:exec|x)$/u,
  /^uv tool run$|^uv x$/u,
  /^pipx run$/u,
]
/** Fetchers' options with a value. */
const VALUED = /^(?:-p|--package|--from|--with|--python|--registry|--index-url|--spec)$/u
/** Options of mcp-remote with a value. */
const REMOTE_VALUED =
  /^--(?:host|auth-timeout|resource|ignore-tool|static-oauth-client-metadata|transport|header|static-oauth-client-info)$/u

const WRAPPERS: Readonly<Record<string, Wrapper>> = {
  'mcp-remote': ofMcpRemote,
  supergateway: ofSupergateway,
  'mcp-proxy': ofMcpProxy,
  '@pyroprompts/mcp-stdio-to-streamable-http-adapter': ofAdapter,
}

/**
 * Returns the remote server of a command: `mcp-remote URL`, `supergateway --sse URL`, `mcp-proxy URL` and similar, also run by npx, bunx,
 * pnpm, uvx or cmd. Undefined for any other command. Fills in `${NAME}` of its own variables, as those programs do.
 */
export function wrappedRemote(
  [command = '', ...args]: readonly string[],
  env: Env = [],
): WrappedRemote | undefined {
  const program = programName(command.trim()).toLowerCase()
  if (program === 'cmd' && /^\/c$/iu.test(args[0] ?? '')) return wrappedRemote(args.slice(1), env)
  const [name, own] = Object.hasOwn(WRAPPERS, program) ? [program, args] : fetched(program, args)
  const wrapper = Object.hasOwn(WRAPPERS, name) ? WRAPPERS[name] : undefined
  const filled = own.map((text) => fill(text, env))
  const found = wrapper?.(filled, env)
  return found && { wrapper: name, ...found }
}

/** Returns the package that a runner fetches, and its arguments. */
function fetched(
  program: string,
  args: readonly string[],
): [name: string, args: readonly string[]] {
  const words = [1, 2, 3].find((count) =>
    FETCHERS.some((form) => form.test([program, ...args.slice(0, count - 1)].join(' '))),
  )
  if (words === undefined) return ['', []]
  let at = words - 1
  while (at < args.length && args[at]?.startsWith('-')) at += VALUED.test(args[at] ?? '') ? 2 : 1
  return [withoutVersion(args[at] ?? ''), args.slice(at + 1)]
}

function ofMcpRemote(args: readonly string[]): ReturnType<Wrapper> {
  const plain = args.filter(
    (text, at) => !text.startsWith('-') && !REMOTE_VALUED.test(args[at - 1] ?? ''),
  )
  const [url = '', port] = plain
  if (!ADDRESS.test(url)) return undefined
  const clientInfo = valuesOf(args, '--static-oauth-client-info')[0]
  const host = valuesOf(args, '--host')[0] ?? 'localhost'
  return {
    type: valuesOf(args, '--transport')[0]?.startsWith('sse') === true ? 'sse' : 'streamable-http',
    url,
    headers: valuesOf(args, '--header').map((text) => pairOf(text, ':')),
    oauth:
      clientInfo === undefined
        ? undefined
        : {
            clientInfo,
            redirectUrl: port === undefined ? undefined : `http://${host}:${port}/oauth/callback`,
          },
  }
}

function ofSupergateway(args: readonly string[]): ReturnType<Wrapper> {
  const [sse] = valuesOf(args, '--sse')
  const url = sse ?? valuesOf(args, '--streamableHttp')[0] ?? ''
  if (!ADDRESS.test(url)) return undefined
  const bearer = valuesOf(args, '--oauth2Bearer').map((token) => ({
    name: 'Authorization',
    text: `Bearer ${token}`,
  }))
  return {
    type: sse === undefined ? 'streamable-http' : 'sse',
    url,
    headers: [...valuesOf(args, '--header').map((text) => pairOf(text, ':')), ...bearer],
    oauth: undefined,
  }
}

/** Each of its headers takes two arguments; a variable may hold a token. */
function ofMcpProxy(args: readonly string[], env: Env): ReturnType<Wrapper> {
  const url = args.find((text) => ADDRESS.test(text))
  if (url === undefined) return undefined
  const headers = args.flatMap((text, at) =>
    text === '-H' || text === '--headers'
      ? [{ name: args[at + 1] ?? '', text: args[at + 2] ?? '' }]
      : [],
  )
  const transport = valuesOf(args, '--transport')[0]
  const isSse = transport === undefined ? /\/sse\/?$/u.test(url) : transport === 'sse'
  return {
    type: isSse ? 'sse' : 'streamable-http',
    url,
    headers: [...headers, ...bearerOf(env, 'API_ACCESS_TOKEN')],
    oauth: undefined,
  }
}

function ofAdapter(_args: readonly string[], env: Env): ReturnType<Wrapper> {
  const url = env.find(({ name }) => name === 'URI')?.text ?? ''
  if (!ADDRESS.test(url)) return undefined
  return { type: 'streamable-http', url, headers: bearerOf(env, 'BEARER_TOKEN'), oauth: undefined }
}

function bearerOf(env: Env, variable: string): RawPair[] {
  return env
    .filter(({ name, text }) => name === variable && text !== '')
    .map(({ text }) => ({ name: 'Authorization', text: `Bearer ${text}` }))
}

/** Returns all values of `--name value` and `--name=value`. */
function valuesOf(args: readonly string[], option: string): string[] {
  return args.flatMap((text, at) => {
    if (text === option) return [args[at + 1] ?? '']
    return text.startsWith(`${option}=`) ? [text.slice(option.length + 1)] : []
  })
}

function fill(text: string, env: Env): string {
  return text.replaceAll(
    /\$\{([A-Za-z_]\w{0,200})\}/gu,
    (written, name: string) => env.find((pair) => pair.name === name)?.text ?? written,
  )
}

/** Removes the version, as of `mcp-remote@latest`. */
function withoutVersion(text: string): string {
  const at = text.lastIndexOf('@')
  return at > 0 ? text.slice(0, at) : (text.split('==')[0] ?? text)
}
