import {
  type CustomServer,
  type CustomServerText,
  openText,
  plainText,
} from '../../../../src-shared/domain/installation/custom-server'
import {
  type LaunchPreview,
  SECRET_MASK,
} from '../../../../src-shared/domain/installation/launch-plan'
import type { DraftedServer } from '../../import/draft-server'
import { wrappedRemote } from '../../import/wrapped-remote'

/** Programs that run the package in their arguments. */
const RUNNERS = ['npx', 'bunx', 'pnpm', 'uvx', 'pipx', 'dnx']

const CONTAINERS = ['docker', 'podman']

const RUNTIMES = ['node', 'deno', 'bun']

/** Normalizes a command line: removes the program's path, "yes" options and versions. */
export function commandWords([command = '', ...args]: readonly string[]): string[] {
  const program = programOf(command)
  if (program === 'cmd' && /^\/c$/i.test(args[0] ?? '')) return commandWords(args.slice(1))
  if (program === 'npx' || program === 'bunx') {
    const relevantArgs = args.filter((text) => !/^(-y|--yes)$/.test(text))
    return [program, ...ofPackage(relevantArgs, withoutNodeVersion)]
  }
  if (program === 'uvx') return [program, ...ofPackage(args, withoutPythonVersion)]
  if (CONTAINERS.includes(program))
    return [program, ...args.filter((text) => !/^(-i|--interactive|--rm|-t|-it)$/.test(text))]
  return [program, ...args]
}

/** Whether a normalized command line runs the same in every folder: a registry's package without relative paths. */
export function runsAnywhere([program = '', ...args]: readonly string[]): boolean {
  // An image name contains slashes.
  if (CONTAINERS.includes(program)) return !args.some((text) => valueOf(text).startsWith('.'))
  // Without dlx, pnpm runs a script of the folder.
  if (program === 'pnpm' && args[0] !== 'dlx') return false
  return RUNNERS.includes(program) && !args.some(isWithinFolder)
}

/** Returns the last part of a runner's path, because every system has one; another program's full path. */
function programOf(command: string): string {
  const fullPath = command.trim().replace(/\.(exe|cmd|bat)$/i, '')
  const last = fullPath.split(/[\\/]/).at(-1)?.toLowerCase() ?? ''
  return [...RUNNERS, ...CONTAINERS, ...RUNTIMES, 'cmd'].includes(last) ? last : fullPath
}

/** Changes the package, which is the first argument that isn't an option. */
function ofPackage(args: readonly string[], change: (text: string) => string): string[] {
  const at = args.findIndex((text) => !text.startsWith('-'))
  return args.map((text, index) => (index === at ? change(text) : text))
}

function withoutNodeVersion(text: string): string {
  const at = text.lastIndexOf('@')
  const isOfScope = at <= 0 || at < text.lastIndexOf('/')
  return isOfScope ? text : text.slice(0, at)
}

function withoutPythonVersion(text: string): string {
  const from = Math.max(text.lastIndexOf('/') + 1, text.lastIndexOf('@'))
  const length = text.slice(from).search(/[@=<>~!]/)
  return length < 0 ? text : text.slice(0, from + length)
}

/** Returns the value of `--option=value`, or the whole text of any other argument. */
function valueOf(text: string): string {
  return text.startsWith('-') ? text.slice(text.indexOf('=') + 1) : text
}

/** Whether a text looks like a relative path: with a slash, or with a file extension. */
function isWithinFolder(text: string): boolean {
  const value = valueOf(text)
  if (/^(?:[/\\~]|[a-z]:[/\\]|[a-z][a-z0-9+.-]{0,20}:\/\/)/i.test(value)) return false
  if (value.startsWith('.')) return true
  const name = value.startsWith('@') ? value.slice(value.indexOf('/') + 1) : value
  return /[/\\]/.test(name) || /\.[a-z]\w{0,5}$/i.test(name)
}

/** Comparable texts that identify what a server runs. They may contain secrets. */
export type LaunchFingerprint = {
  /** The program with its arguments, or the address; secrets are masked. */
  readonly program: string
  /** `program` with names and plain values of variables or headers, and the folder if the program depends on it. */
  readonly server: string
  /** The server's secrets, the values it requests, and its file of variables. */
  readonly account: string
  /** Whether it only asks the user for its account, which may be any account of the server. */
  readonly isAccountRequested: boolean
  /** Whether it contains a secret as text, which would be removed with it. */
  readonly hasSecret: boolean
}

type Comparable = Pick<DraftedServer, 'made' | 'cwd'> &
  Partial<Pick<DraftedServer, 'open' | 'envFile'>>

/** Identifies what a server runs, in any spelling; `cwd` is undefined for the home folder. */
export function launchFingerprint({
  made,
  cwd,
  open = [],
  envFile = '',
}: Comparable): LaunchFingerprint {
  const secrets = secretsOf(made)
  const placeholders = open.toSorted((one, other) => compare(one.path, other.path))
  const hasSecret = secrets.some((secret) => secret !== '')
  const account = JSON.stringify([
    secrets,
    placeholders.map(({ path, asks }) => [path, asks]),
    envFile,
  ])
  const hasAccount =
    hasSecret || envFile !== '' || open.some(({ asks }) => !asks.startsWith('input:'))
  const isAccountRequested = !hasAccount && secrets.length + open.length > 0
  return { ...programAndServer(made, cwd ?? ''), account, isAccountRequested, hasSecret }
}

function programAndServer(
  made: CustomServer,
  cwd: string,
): Pick<LaunchFingerprint, 'program' | 'server'> {
  if (made.kind === 'address') {
    const program = JSON.stringify(['address', addressOf(masked(made.url))])
    const headers = pairsOf(made.headers, (name) => name.toLowerCase())
    return { program, server: JSON.stringify([program, headers]) }
  }
  const env = made.env.map(({ name, value }) => ({ name, text: masked(value) }))
  const wrapped = wrappedRemote([made.command, ...made.args.map(masked)], env)
  if (wrapped) {
    const { type, url, headers } = wrapped
    const pairs = headers.map(({ name, text }) => ({ name, value: openText(text) }))
    const remote: CustomServer = { kind: 'address', type, url: openText(url), headers: pairs }
    return programAndServer(remote, cwd)
  }
  const words = commandWords([made.command, ...made.args.map(masked)])
  const program = JSON.stringify(['command', ...words])
  const variables = pairsOf(made.env, (name) => name)
  return { program, server: JSON.stringify([program, variables, runsAnywhere(words) ? '' : cwd]) }
}

/** Converts a preview of an installation to comparable parts. */
export function partsOfPreview(preview: LaunchPreview): CustomServer {
  const pairs = (list: readonly { name: string; text: string }[]): CustomServerPairs =>
    list.map(({ name, text }) => ({ name, value: openText(text) }))
  if (preview.kind === 'remote') {
    const { type, url, headers } = preview
    return { kind: 'address', type, url: openText(url.text), headers: pairs(headers) }
  }
  const { command, args, env } = preview
  return {
    kind: 'command',
    command,
    args: args.map(({ text }) => openText(text)),
    env: pairs(env),
  }
}

type CustomServerPairs = { name: string; value: CustomServerText }[]

function masked(text: CustomServerText): string {
  return plainText(text, SECRET_MASK)
}

function secretsOf(made: CustomServer): string[] {
  const texts =
    made.kind === 'address'
      ? [made.url, ...inOrder(made.headers).map(({ value }) => value)]
      : [...made.args, ...inOrder(made.env).map(({ value }) => value)]
  return texts.flatMap((text) =>
    text.flatMap((piece) => (piece.kind === 'secret' ? [piece.secret] : [])),
  )
}

function compare(one: string, other: string): number {
  if (one === other) return 0
  return one < other ? -1 : 1
}

function inOrder(pairs: Readonly<CustomServerPairs>): CustomServerPairs {
  return pairs.toSorted((one, other) => compare(one.name, other.name))
}

function pairsOf(
  pairs: Readonly<CustomServerPairs>,
  nameOf: (name: string) => string,
): [string, string][] {
  return inOrder(pairs).map(({ name, value }) => [nameOf(name), masked(value)])
}

/** Normalizes an address: trailing slash and the case of the host are irrelevant. */
function addressOf(url: string): string {
  const text = url.trim()
  return (URL.canParse(text) ? new URL(text).href : text).replace(/\/$/, '')
}
