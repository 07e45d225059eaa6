import { basename, sep } from 'node:path'

import type { Node } from 'jsonc-parser'

import { elementsOf, membersOf, textOf } from './text/json-tree'

/** A part of a text; `written` is how the configuration writes a placeholder. */
export type RawPiece =
  | { readonly kind: 'text'; readonly text: string }
  /** A place of this computer. */
  | { readonly kind: 'place'; readonly written: string; readonly text: string }
  /** A value to ask the user for. */
  | {
      readonly kind: 'ask'
      readonly written: string
      readonly id: string
      readonly label: string
      readonly initial: string | undefined
    }
  /** A variable of an environment. */
  | {
      readonly kind: 'environment'
      readonly written: string
      readonly name: string
      /** Applies where the variable is not taken. */
      readonly fallback: string | undefined
    }
  /** A placeholder that means nothing here. */
  | { readonly kind: 'unknown'; readonly written: string }

/** A value that a configuration asks for, as VS Code describes it. */
export type PromptedInput = {
  readonly label: string
  readonly isSecret: boolean
  readonly initial: string | undefined
}

/** What placeholders stand for. */
export type PlaceholderFacts = {
  readonly home: string
  readonly inputs: ReadonlyMap<string, PromptedInput>
  /** The folder of the project whose configuration it is; missing for one that is of no project. */
  readonly workspace?: string | undefined
  /** What `$NAME` without braces is to the app whose configuration it is; unknown for one that was pasted. */
  readonly bareNames: 'text' | 'variable' | 'unknown'
}

const MAX_INPUTS = 200
/** In two braces as Continue and GitHub write it, in braces as OpenCode does, in percent signs as Windows does. */
const PLACEHOLDER =
  /\$\{\{\s{0,20}(?:secrets|inputs|env|vars)\.(?<asked>[\w./-]{1,200})\s{0,20}\}\}|\$\{(?<braced>[^{}]{1,300})\}|\{(?<kind>env|file):(?<named>[^{}]{1,200})\}|%(?<percent>[A-Z][A-Z0-9_]{2,40}(?:\(X86\))?)%|\$(?<bare>[A-Z_][A-Z0-9_]*)/g
const VARIABLE = /^(?:env:)?([A-Za-z_][A-Za-z0-9_]*)(?::?-(.*))?$/s

/** The values that a configuration asks for, by id. */
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
 * Takes a text apart at its placeholders, in the words of any app: `${input:x}`, `${env:X}`, `${X}`, `$X`, `${X:-default}`,
 * `${userHome}`, `${{ secrets.X }}`, `{env:X}`, `{file:path}`, `%X%`.
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
  // A variable of Windows, where it is one of this computer.
  if (percent !== undefined)
    return { kind: 'environment', written, name: percent, fallback: written }
  return bareVariable(bare, facts)
}

/** Without braces it may be no variable at all, so it stays as it is unless the app, or the user, takes it for one. */
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
  // Of a workspace, an editor or a command: none of that is here.
  if (/^(workspaceFolder|workspaceRoot|file|relativeFile|cwd|lineNumber)/.test(inside))
    return { kind: 'unknown', written }
  const [, name, fallback] = VARIABLE.exec(inside) ?? []
  return name === undefined
    ? { kind: 'unknown', written }
    : { kind: 'environment', written, name, fallback }
}

/** A default is taken as it is, but never as a password. */
function askFor(id: string, written: string, { inputs }: PlaceholderFacts): RawPiece {
  const { label = id, initial, isSecret = false } = inputs.get(id) ?? {}
  return { kind: 'ask', written, id, label, initial: isSecret ? undefined : initial }
}
