import { AppError } from '../../../../src-shared/domain/app-error'
import { positionOf } from '../../import/text/read-json'
import type { HostValue } from '../apps/host-app'
import type { HostPath, HostTree } from './host-tree'

/** A parsed text without byte order mark. Both edits return the new text, and throw HOST_FILE_BROKEN if an edit isn't safe. */
export type HostText = {
  /** An empty map if there are only comments. */
  readonly tree: HostTree
  /** Syntax that the app may not support, named for the user; absent if all syntax is supported. */
  readonly extras?: readonly string[]
  /** Offset of a path's node, or of the last existing node on the way to it. */
  readonly offsetOf: (path: HostPath) => number
  /** Writes a value. Missing or null levels are created; an index after the end of a list appends. */
  readonly set: (path: HostPath, value: HostValue) => string
  /** Spelling of an empty level, such as `null` or `{ }`; undefined if it is missing, not empty, or has a comment. */
  readonly vacant: (path: HostPath) => string | undefined
  /** Removes an existing node; a level that becomes empty is spelled as `vacant`, if given. */
  readonly remove: (path: HostPath, vacant?: string) => string
}

/** Returns HOST_FILE_BROKEN with line and column of an offset. */
export function brokenAt(text: string, offset: number, message: string, cause?: unknown): AppError {
  const { line, column } = positionOf(text, offset)
  return new AppError(
    'HOST_FILE_BROKEN',
    `Line ${String(line)}, column ${String(column)}: ${message}`,
    { cause, hint: 'Edit this place in an editor. Nothing was written.' },
  )
}

/** Replaces the text from one offset to before another one. */
export type Splice = { readonly from: number; readonly to: number; readonly put: string }

/** Applies splices to a text; those at the same offset in their order. */
export function spliced(text: string, splices: readonly Splice[]): string {
  let made = ''
  let done = 0
  for (const { from, to, put } of splices.toSorted((one, other) => one.from - other.from)) {
    made += text.slice(done, from) + put
    done = Math.max(done, to)
  }
  return made + text.slice(done)
}

/** Returns the first line end of a text, or a line feed. */
export function lineEndOf(text: string): string {
  return /\r\n|\n|\r/u.exec(text)?.[0] ?? '\n'
}

/** Returns the start of an offset's line. */
export function lineStart(text: string, offset: number): number {
  const before = text.slice(0, offset)
  return Math.max(before.lastIndexOf('\n'), before.lastIndexOf('\r')) + 1
}

/** Returns the end of an offset's line, before its line end. */
export function lineStop(text: string, offset: number): number {
  const found = /[\r\n]/u.exec(text.slice(offset))
  return found ? offset + found.index : text.length
}

/** Returns the leading spaces and tabs of an offset's line. */
export function indentAt(text: string, offset: number): string {
  const start = lineStart(text, offset)
  return /^[ \t]*/u.exec(text.slice(start, offset))?.[0] ?? ''
}

/** Returns the offset before a directly preceding line end, if any. */
export function beforeLineEnd(text: string, offset: number): number {
  if (text.endsWith('\r\n', offset)) return offset - 2
  return /[\r\n]/u.test(text.charAt(offset - 1)) ? offset - 1 : offset
}

/** Removes the lines of a piece with the line end before them, or after them at the start of the text. */
export function linesCut(text: string, from: number, to: number): Splice {
  const start = lineStart(text, from)
  const stop = lineStop(text, to)
  if (start > 0) return { from: beforeLineEnd(text, start), to: stop, put: '' }
  const end = /^(?:\r\n|\n|\r)/u.exec(text.slice(stop, stop + 2))?.[0].length ?? 0
  return { from: 0, to: stop + end, put: '' }
}

/** Whether there are only spaces, tabs and line ends between two offsets. */
export function isBlank(text: string, from: number, to = text.length): boolean {
  return !/[^ \t\r\n]/u.test(text.slice(from, to))
}

/** Returns the end of a text without trailing spaces, tabs and line ends; other white space may be content. */
export function contentEnd(text: string): number {
  let end = text.length
  while (end > 0 && ' \t\r\n'.includes(text.charAt(end - 1))) end -= 1
  return end
}
