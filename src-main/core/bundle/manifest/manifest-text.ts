import { join, posix, win32 } from 'node:path'

import type { InputVariable } from '../../../../src-shared/domain/server-json/server-json'

/** The values that a manifest's texts can reference on one computer. */
export type ManifestContext = {
  /** Folder of the unpacked bundle. */
  readonly folder: string
  readonly home: string
  readonly platform: NodeJS.Platform
}

/** A piece of text: literal, or a setting. */
export type TextPiece = string | { readonly setting: string }

const NAME = /\$\{([^{}]*)\}/g
const SETTING = 'user_config.'

/** A text as a template: its value, and the settings it references. */
export type TextTemplate = {
  readonly value: string
  readonly variables: Readonly<Record<string, InputVariable>>
}

/** Splits a text at its `${names}`: fills in this computer's paths, and keeps unknown names. */
export function readText(text: string, context: ManifestContext): TextPiece[] {
  const variables = pathVariables(context)
  const pieces: TextPiece[] = []
  let literal = ''
  let end = 0
  for (const match of text.matchAll(NAME)) {
    const [whole, name = ''] = match
    literal += text.slice(end, match.index)
    end = match.index + whole.length
    if (name.startsWith(SETTING) && name.length > SETTING.length) {
      pieces.push(literal, { setting: name.slice(SETTING.length) })
      literal = ''
    } else literal += variables.get(name) ?? whole
  }
  return [...pieces, literal + text.slice(end)].filter((piece) => piece !== '')
}

/** Returns a text without settings; undefined if it references one. */
export function plainText(text: string, context: ManifestContext): string | undefined {
  const pieces = readText(text, context)
  const [first = '', ...others] = pieces
  return typeof first === 'string' && others.length === 0 ? first : undefined
}

/** Returns the unknown names in a text. */
export function unknownNames(text: string, context: ManifestContext): string[] {
  const variables = pathVariables(context)
  return Array.from(text.matchAll(NAME), ([, name = '']) => name).filter(
    (name) => !variables.has(name) && !(name.startsWith(SETTING) && name.length > SETTING.length),
  )
}

/** Whether a text is blank without its unknown names. */
export function isBlankText(text: string, context: ManifestContext): boolean {
  const unknown = new Set(unknownNames(text, context))
  const rest = text.replace(NAME, (whole, name: string) => (unknown.has(name) ? '' : whole))
  return rest.trim() === ''
}

/** Joins pieces to a template; `variableOf` returns a setting's input. The author's braces stay literal. */
export function toTemplate(
  pieces: readonly TextPiece[],
  variableOf: (setting: string) => InputVariable,
): TextTemplate {
  const plain = pieces.filter((piece) => typeof piece === 'string')
  const names = new Map<string, string>()
  for (const piece of pieces) {
    if (typeof piece === 'string' || names.has(piece.setting)) continue
    names.set(piece.setting, uniqueName(piece.setting, [...names.values()], plain))
  }
  const value = pieces.map((piece) =>
    typeof piece === 'string' ? piece : `{${names.get(piece.setting) ?? ''}}`,
  )
  return {
    value: value.join(''),
    variables: Object.fromEntries(
      Array.from(names, ([setting, name]) => [name, variableOf(setting)]),
    ),
  }
}

/** Returns a name that doesn't occur in braces in the author's text. */
function uniqueName(
  setting: string,
  usedNames: readonly string[],
  literals: readonly string[],
): string {
  let name = setting
  while (usedNames.includes(name) || literals.some((text) => text.includes(`{${name}}`)))
    name += '_'
  return name
}

function pathVariables({ folder, home, platform }: ManifestContext): ReadonlyMap<string, string> {
  const separator = (platform === 'win32' ? win32 : posix).sep
  return new Map([
    ['__dirname', folder],
    ['HOME', home],
    ['DESKTOP', join(home, 'Desktop')],
    ['DOCUMENTS', join(home, 'Documents')],
    ['DOWNLOADS', join(home, 'Downloads')],
    ['pathSeparator', separator],
    ['/', separator],
  ])
}
