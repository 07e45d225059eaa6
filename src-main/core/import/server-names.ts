import { basename } from 'node:path'

import { cleanLine } from '../../../src-shared/domain/server-json/tolerant-reader'
import { findSecrets, flagBefore } from '../../../src-shared/form/recognize-secrets'
import type { RawServer } from './read-entry'

/** Room for a number behind it within the 120 characters of a name. */
const MAX_NAME = 110

/** What a server is called: as the configuration says, or by its package, program or address. */
export function serverName(given: string | undefined, { run }: RawServer): string {
  const name = cleanLine(given ?? '').slice(0, MAX_NAME)
  if (name !== '') return name
  const text = run.kind === 'address' ? hostOf(run.url) : programOf(run.command, run.args)
  return cleanLine(text).slice(0, MAX_NAME) || 'Server'
}

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).hostname.replace(/^(www|mcp|api)\./, '') : ''
}

/** The package that a runner is given, without scope and version; else the program itself. */
function programOf(command: string, args: readonly string[]): string {
  const program = basename(command.replaceAll('\\', '/')).replace(/\.(exe|cmd|bat)$/i, '')
  const isRunner = /^(npx|bunx|pnpm|yarn|uvx|uv|dnx|docker|podman|node|python3?|deno|bun)$/i.test(
    program,
  )
  const word = isRunner ? args.map(speakingWord).find((text) => text !== undefined) : undefined
  if (word === undefined) return program
  const last = basename(word.replaceAll('\\', '/').replace(/[@:=][^/]*$/, ''))
  return last.replace(/\.(m?js|py|ts)$/i, '') || program
}

/** What an argument may add to a name: never a secret, a flag or a variable, and of an address the host alone. */
function speakingWord(text: string, index: number, args: readonly string[]): string | undefined {
  if (/^-|^[\w.-]+=/.test(text)) return undefined
  const isAddress = /^[a-z][a-z0-9+.-]*:\/\//i.test(text)
  const word = isAddress ? (URL.canParse(text) ? new URL(text).hostname : '') : text
  const context = { place: 'argument', name: flagBefore(args, index) } as const
  if (!/mcp|server/i.test(word) || findSecrets(word, context).length > 0) return undefined
  return isAddress ? hostOf(text) : word
}

/** The name itself, or with the first free number behind it; what is given counts as taken from then on. */
export function claimName(wanted: string, taken: Set<string>): string {
  let name = wanted
  for (let number = 2; taken.has(name.toLowerCase()); number += 1)
    name = `${wanted} ${String(number)}`
  taken.add(name.toLowerCase())
  return name
}
