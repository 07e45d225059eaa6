import { basename, sep } from 'node:path'

import type { Node } from 'jsonc-parser'

import { elementsOf, membersOf, textOf } from './text/json-tree'

/** A piece of text; `written` is the configuration's spelling of a placeholder. */
export type RawPiece =
  | { readonly kind: 'text'; readonly text: string }
  /** A path of this computer. */
  | { readonly kind: 'place'; readonly written: string; readonly text: string }
  /** A value to request from the user. */
  | {
      readonly kind: 'ask'
      readonly written: string
      readonly id: string
      readonly label: string
      readonly initial: string | undefined
    }
  /** An environment variable. */
  | {
      readonly kind: 'environment'
      readonly written: string
      readonly name: string
      /** Used if the variable isn't. */
      readonly fallback: string | undefined
    }
  /** An unknown placeholder. */
  | { readonly kind: 'unknown'; readonly written: string }

/** A value that a configuration requests, as VS Code describes it. */
export type PromptedInput = {
  readonly label: string
  readonly isSecret: boolean
  readonly initial: string | undefined
}

/** The values of placeholders. */
export type PlaceholderFacts = {
  readonly home: string
  readonly inputs: ReadonlyMap<string, PromptedInput>
  /** Folder of the configuration's project; absent if it has none. */
  readonly workspace?: string | undefined
  /** Meaning of `$NAME` without braces in the configuration's app; unknown for pasted text. */
  readonly bareNames: 'text' | 'variable' | 'unknown'
}

const MAX_INPUTS = 200
/** Matches double braces of Continue and GitHub, OpenCode's braces, and Windows's percent signs. */
const PLACEHOLDER =
  /\$\{\{\s{0,20}(?:secrets|inputs|env|vars)\.(?<asked>[\w./-]{1,200})\s{0,20}\}\}|\$\{(?<braced>[^{}]{1,300})\}|\{(?<kind>env|file):(?<named>[^{}]{1,200})\}|%(?<percent>[A-Z][A-Z0-9_]{2,40}(?:\(X86\))?)%|\$(?<bare>[A-Z_][A-Z0-9_]*)/g
const VARIABLE = /^(?:env:)?([A-Za-z_][A-Za-z0-9_]*)(?::?-(.*))?$/s

/** Returns the inputs of a configuration, by id. */
export function readInputs(node: Node | undefined): Map<string, PromptedInput> {
  const inputs = elementsOf(node)
    .slice(0, MAX_INPUTS)
    .flatMap((element): [string, PromptedInput][] => {
      const members = membersOf(element)
      const id = textOf(members.get('id'))
      if (id === undefined) return []
      const label = textOf(members.get('description')) ?? id
      const isSecret = members.get('password')?.value === true
      return [[id, { label, isSecret, initial: textOf(members.get('default')) }]]
    })
  return new Map(inputs)
}

/**
 * Splits a text at its placeholders in any app's syntax: `${input:x}`, `${env:X}`, `${X}`, `$X`, `${X:-default}`, `${userHome}`, `${{
 * secrets.X }}`, `{env:X}`, `{file:path}`, `%X%`.
 */
export function splitPlaceholders(text: string, facts: PlaceholderFacts): RawPiece[] {
  const pieces: RawPiece[] = []
  let from = 0
  for (const match of text.matchAll(PLACEHOLDER)) {
    const [written] = match
    if (match.index > from) pieces.push({ kind: 'text', text: text.slice(from, match.index) })
    pieces.push(pieceOfMatch(written, match.groups ?? {}, facts))
    from = match.index + written.length
  }
  if (from < text.length) pieces.push({ kind: 'text', text: text.slice(from) })
  return pieces
}

function pieceOfMatch(
  written: string,
  groups: Readonly<Record<string, string | undefined>>,
  facts: PlaceholderFacts,
): RawPiece {
  const { asked, braced, kind, named = '', percent, bare = '' } = groups
  if (asked !== undefined) return askFor(asked, written, facts)
  if (braced !== undefined) return pieceOf(braced, written, facts)
  if (kind === 'file') return askFor(`the content of ${named}`, written, facts)
  if (kind === 'env')
    return /^[A-Za-z_]\w*$/u.test(named)
      ? { kind: 'environment', written, name: named, fallback: undefined }
      : { kind: 'unknown', written }
  // A Windows variable, if this computer has it.
  if (percent !== undefined)
    return { kind: 'environment', written, name: percent, fallback: written }
  return bareVariable(bare, facts)
}

/** Without braces it may not be a variable, so it stays unless the app or the user treats it as one. */
function bareVariable(name: string, { home, bareNames }: PlaceholderFacts): RawPiece {
  const written = `$${name}`
  if (bareNames === 'text') return { kind: 'text', text: written }
  if (bareNames === 'unknown') return { kind: 'environment', written, name, fallback: written }
  return name === 'HOME'
    ? { kind: 'place', written, text: home }
    : { kind: 'environment', written, name, fallback: undefined }
}

function pieceOf(inside: string, written: string, facts: PlaceholderFacts): RawPiece {
  const { home, workspace } = facts
  const place = (text: string): RawPiece => ({ kind: 'place', written, text })
  if (inside.startsWith('input:')) return askFor(inside.slice('input:'.length), written, facts)
  if (/^(userHome|(env:)?HOME)$/.test(inside)) return place(home)
  if (inside === 'pathSeparator' || inside === '/') return place(sep)
  if (workspace !== undefined && /^workspace(Folder|Root)$/.test(inside)) return place(workspace)
  if (workspace !== undefined && inside === 'workspaceFolderBasename')
    return place(basename(workspace))
  // The folder of a plugin or an extension, which only its app knows.
  if (/^(CLAUDE_PLUGIN_ROOT|extensionPath|__dirname)$/.test(inside))
    return askFor(inside, written, facts)
  // Values of a workspace, an editor or a command, which don't exist here.
  if (/^(workspaceFolder|workspaceRoot|file|relativeFile|cwd|lineNumber)/.test(inside))
    return { kind: 'unknown', written }
  const [, name, fallback] = VARIABLE.exec(inside) ?? []
  return name === undefined
    ? { kind: 'unknown', written }
    : { kind: 'environment', written, name, fallback }
}

/** Requests a value. A default is used unchanged, but never as a password. */
function askFor(id: string, written: string, { inputs }: PlaceholderFacts): RawPiece {
  const { label = id, initial, isSecret = false } = inputs.get(id) ?? {}
  return { kind: 'ask', written, id, label, initial: isSecret ? undefined : initial }
}
