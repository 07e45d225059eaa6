import { isAbsolute, join, resolve } from 'node:path'

import {
  type CustomServer,
  type CustomServerPair,
  type CustomServerText,
  hasSecret,
  openText,
  plainText,
} from '../../../src-shared/domain/installation/custom-server'
import { flagBefore } from '../../../src-shared/form/recognize-secrets'
import type { RawPair } from './entry-reading'
import {
  addNoticeAt,
  interpolateText,
  type ReadContext,
  type ReadFindings,
  type SourceText,
} from './interpolate-text'
import type { RawServer } from './read-entry'

/** One server of a configuration as parts, with the findings of reading it. */
export type DraftedServer = ReadFindings & {
  readonly made: CustomServer
  /** Absolute path; undefined for the home folder. */
  readonly cwd: string | undefined
  /** Absolute path of the file of variables in the entry. */
  readonly envFile: string | undefined
}

/** Converts an entry to parts. `fileVariables` come from its file: all secret, and overridden by its own. */
export function draftServer(
  { path, run, notices }: RawServer,
  facts: ReadContext,
  fileVariables: readonly RawPair[],
): DraftedServer {
  const findings: ReadFindings = {
    ...{ path, secrets: [], inputs: new Set(), open: [] },
    notices: [...notices],
  }
  const interpolate = (source: SourceText): CustomServerText =>
    interpolateText(source, facts, findings)
  if (run.kind === 'address') {
    const made: CustomServer = {
      kind: 'address',
      type: run.type,
      url: interpolate({ id: 'url', text: run.url, place: 'address', name: undefined }),
      headers: run.headers.map(({ name, text }) => ({
        name,
        value: interpolate({ id: `headers.${name}`, text, place: 'header', name }),
      })),
    }
    return { ...findings, made, cwd: undefined, envFile: undefined }
  }
  const ownVariables = new Set(run.env.filter(hasValue).map(({ name }) => name))
  const command = programOf(run.command, facts, findings)
  const args = run.args.map((text, index) =>
    interpolateText(
      { ...openSource(`args[${String(index)}]`, text), name: flagBefore(run.args, index) },
      { ...facts, ownVariables },
      findings,
    ),
  )
  const ownPairs = run.env.map(({ name, text }): CustomServerPair => ({
    name,
    value: interpolate({ id: `env.${name}`, text, place: 'variable', name }),
  }))
  const env = [...ownPairs, ...ofFile(fileVariables, ownPairs)]
  const made: CustomServer = { kind: 'command', command, args, env }
  addTildeNotices(run.args, findings)
  const isRelative = facts.workspace === undefined && /^\.{1,2}[\\/]/u.test(command)
  const cwdFindings: ReadFindings = isRelative ? { ...findings, notices: [] } : findings
  const cwd = run.cwd === undefined ? facts.workspace : folderOf('cwd', run.cwd, facts, cwdFindings)
  if (isRelative && cwd === undefined)
    addNoticeAt(
      findings,
      'command',
      'A relative path. Enter the full path of the program, and of its folder.',
    )
  const envFile =
    run.envFile === undefined ? undefined : folderOf('envFile', run.envFile, facts, findings)
  return { ...findings, made, cwd, envFile }
}

/** Whether a variable has a value; one that only references itself gets its value elsewhere. */
function hasValue({ name, text }: RawPair): boolean {
  return (
    text !== '' &&
    !['${', '$', '{env:', '${env:', '%'].some((sign) => text.startsWith(`${sign}${name}`))
  )
}

/** A program can't contain a secret: with an unresolved placeholder it stays as written. */
function programOf(text: string, facts: ReadContext, findings: ReadFindings): string {
  const pieces = interpolateText(openSource('command', text), facts, { ...findings, secrets: [] })
  return hasSecret(pieces) ? text : fromHome(plainText(pieces, ''), facts)
}

function addTildeNotices(args: readonly string[], findings: ReadFindings): void {
  for (const [index, text] of args.entries())
    if (/^(?:--?[\w-]+=)?~[\\/]/u.test(text))
      addNoticeAt(findings, `args[${String(index)}]`, '“~” is not replaced. Enter the full path.')
}

/** Expands the tilde, which only a shell would do. */
function fromHome(path: string, { home }: ReadContext): string {
  return path.replace(/^~(?=$|[\\/])/, home)
}

function openSource(id: string, text: string): SourceText {
  return { id, text, place: 'argument', name: undefined }
}

function ofFile(
  variables: readonly RawPair[],
  ownPairs: readonly CustomServerPair[],
): CustomServerPair[] {
  const usedNames = new Set(ownPairs.map(({ name }) => name))
  return variables
    .filter(({ name }) => !usedNames.has(name))
    .map(({ name, text }) => ({
      name,
      value: text === '' ? openText('') : [{ kind: 'secret', secret: text }],
    }))
}

/** Makes a path absolute, within its project if it has one; undefined, with a notice, if it depends on a workspace. */
function folderOf(
  id: string,
  text: string,
  facts: ReadContext,
  findings: ReadFindings,
): string | undefined {
  const ownFindings: ReadFindings = { ...findings, secrets: [], notices: [] }
  const pieces = interpolateText(openSource(id, text), facts, ownFindings)
  const written = fromHome(plainText(pieces, ''), facts)
  const path = facts.workspace === undefined ? written : resolve(facts.workspace, written)
  const isComplete = ownFindings.notices.length === 0 && pieces.every(({ kind }) => kind === 'text')
  if (isComplete && isAbsolute(path)) return join(path)
  findings.open.push({ path: id, asks: text })
  const shown = text.slice(0, 200)
  addNoticeAt(findings, id, `Ignored: “${shown}” isn’t an absolute path on this computer.`)
  return undefined
}
