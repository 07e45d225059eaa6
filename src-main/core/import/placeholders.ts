import { basename } from 'node:path'

import type { Node } from 'jsonc-parser'

import { elementsOf, membersOf, textOf } from './text/json-tree'

/** A part of a text: open, a value to ask the person for, or a variable of an environment. */
export type RawPiece =
  | { readonly kind: 'text'; readonly text: string }
  | {
      readonly kind: 'ask'
      readonly id: string
      readonly label: string
      readonly initial: string | undefined
    }
  | {
      readonly kind: 'environment'
      readonly name: string
      /** Applies where the variable is not taken. */
      readonly fallback: string | undefined
    }
  /** A placeholder that means nothing here. */
  | { readonly kind: 'unknown'; readonly written: string }

/** A value that a configuration asks for, as VS Code describes it. */
export type AskedInput = {
  readonly label: string
  readonly isSecret: boolean
  readonly initial: string | undefined
}

/** What placeholders stand for. */
export type PlaceholderFacts = {
  readonly home: string
  readonly separator: string
  readonly inputs: ReadonlyMap<string, AskedInput>
  /** The folder of the project whose configuration it is; missing for one that is of no project. */
  readonly workspace?: string | undefined
}

const MAX_INPUTS = 200
const PLACEHOLDER = /\$\{([^{}]{1,300})\}|\$([A-Z_][A-Z0-9_]*)/g
const VARIABLE = /^(?:env:)?([A-Za-z_][A-Za-z0-9_]*)(?::?-(.*))?$/s

/** The values that a configuration asks for, by id. */
export function readInputs(node: Node | undefined): Map<string, AskedInput> {
  const inputs = elementsOf(node)
    .slice(0, MAX_INPUTS)
    .flatMap((element): [string, AskedInput][] => {
      const members = membersOf(element)
      const id = textOf(members.get('id'))
      if (id === undefined) return []
      const label = textOf(members.get('description')) ?? id
      const isSecret = members.get('password')?.value === true
      return [[id, { label, isSecret, initial: textOf(members.get('default')) }]]
    })
  return new Map(inputs)
}

/** Takes a text apart at its placeholders: `${input:x}`, `${env:X}`, `${X}`, `$X`, `${X:-default}`, `${userHome}`. */
export function splitPlaceholders(text: string, facts: PlaceholderFacts): RawPiece[] {
  const pieces: RawPiece[] = []
  let from = 0
  for (const match of text.matchAll(PLACEHOLDER)) {
    const [written, braced, bare] = match
    if (match.index > from) pieces.push({ kind: 'text', text: text.slice(from, match.index) })
    pieces.push(
      braced === undefined ? bareVariable(bare ?? '', facts) : pieceOf(braced, written, facts),
    )
    from = match.index + written.length
  }
  if (from < text.length) pieces.push({ kind: 'text', text: text.slice(from) })
  return pieces
}

/** Without braces it may be no variable at all, so it stays as it is unless it is taken. */
function bareVariable(name: string, { home }: PlaceholderFacts): RawPiece {
  if (name === 'HOME') return { kind: 'text', text: home }
  return { kind: 'environment', name, fallback: `$${name}` }
}

function pieceOf(inside: string, written: string, facts: PlaceholderFacts): RawPiece {
  if (inside.startsWith('input:')) return askFor(inside.slice('input:'.length), facts)
  if (/^(userHome|(env:)?HOME)$/.test(inside)) return { kind: 'text', text: facts.home }
  if (inside === 'pathSeparator' || inside === '/') return { kind: 'text', text: facts.separator }
  const { workspace } = facts
  if (workspace !== undefined && /^workspace(Folder|Root)$/.test(inside))
    return { kind: 'text', text: workspace }
  if (workspace !== undefined && inside === 'workspaceFolderBasename')
    return { kind: 'text', text: basename(workspace) }
  // Of a workspace, an editor or a command: none of that is here.
  if (/^(workspaceFolder|workspaceRoot|file|relativeFile|cwd|lineNumber)/.test(inside))
    return { kind: 'unknown', written }
  const [, name, fallback] = VARIABLE.exec(inside) ?? []
  return name === undefined ? { kind: 'unknown', written } : { kind: 'environment', name, fallback }
}

/** A default is taken as it is, but never as a password. */
function askFor(id: string, { inputs }: PlaceholderFacts): RawPiece {
  const { label = id, initial, isSecret = false } = inputs.get(id) ?? {}
  return { kind: 'ask', id, label, initial: isSecret ? undefined : initial }
}
