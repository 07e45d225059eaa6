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
import { commandWords, runsAnywhere } from './command-words'

/** What makes a server the same as another, as texts to be compared. They may hold secrets. */
export type LaunchFingerprint = {
  /** The program with its arguments, or the address; secrets are masked. */
  readonly program: string
  /** With names and open values of variables or headers, and the folder where that tells programs apart. */
  readonly server: string
  /** Whose it is: its secrets, what it asks for elsewhere, and the file of its variables. */
  readonly account: string
  /** It asks the person, and says no more of the account: it may be any of the server. */
  readonly asksOnly: boolean
  /** A secret stands in it as text, and goes with it. */
  readonly hasSecret: boolean
}

type Comparable = Pick<DraftedServer, 'made' | 'cwd'> &
  Partial<Pick<DraftedServer, 'open' | 'envFile'>>

/** Tells what a server runs, however it is spelled; `cwd` is undefined for the home folder. */
export function launchFingerprint({
  made,
  cwd,
  open = [],
  envFile = '',
}: Comparable): LaunchFingerprint {
  const secrets = secretsOf(made)
  const asked = open.toSorted((one, other) => compare(one.spot, other.spot))
  const hasSecret = secrets.some((secret) => secret !== '')
  const account = JSON.stringify([secrets, asked.map(({ spot, asks }) => [spot, asks]), envFile])
  const isTold = hasSecret || envFile !== '' || open.some(({ asks }) => !asks.startsWith('input:'))
  const asksOnly = !isTold && secrets.length + open.length > 0
  return { ...programAndServer(made, cwd ?? ''), account, asksOnly, hasSecret }
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

/** The parts of what an installation starts, as its preview shows them. */
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

/** A slash at its end and the case of its host say nothing. */
function addressOf(url: string): string {
  const text = url.trim()
  return (URL.canParse(text) ? new URL(text).href : text).replace(/\/$/, '')
}
