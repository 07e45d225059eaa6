import { AppError } from '../../../../src-shared/domain/app-error'
import { positionOf } from '../../import/text/read-json'
import type { HostValue } from '../apps/host-app'
import type { HostPath, HostTree } from './host-tree'

/** A text that was read, without a byte order mark. Both edits give the new text and throw HOST_FILE_BROKEN where it cannot be edited safely. */
export type HostText = {
  /** An empty map where there is nothing but comments. */
  readonly tree: HostTree
  /** What the text has that its app may not read, in words of the user; missing for a syntax that has no such. */
  readonly extras?: readonly string[]
  /** Where the node of a path begins, or the last one on the way to it. */
  readonly offsetOf: (path: HostPath) => number
  /** Writes a value; levels that are missing or null are made, a place behind the last of a list adds to it. */
  readonly set: (path: HostPath, value: HostValue) => string
  /** How an empty level is written, such as `null` or `{ }`; undefined where it is missing, holds anything or has a comment. */
  readonly vacant: (path: HostPath) => string | undefined
  /** Takes out a node that is there; a level that is empty then is written as `vacant`, if that is given. */
  readonly remove: (path: HostPath, vacant?: string) => string
}

/** HOST_FILE_BROKEN with line and column of an offset. */
export function brokenAt(text: string, offset: number, message: string, cause?: unknown): AppError {
  const { line, column } = positionOf(text, offset)
  return new AppError(
    'HOST_FILE_BROKEN',
    `Line ${String(line)}, column ${String(column)}: ${message}`,
    { cause, hint: 'Edit this place in an editor. Nothing was written.' },
  )
}

/** A piece of a text, from its first offset to before its second, and what stands there instead. */
export type Splice = { readonly from: number; readonly to: number; readonly put: string }

/** The text with its pieces exchanged; those at the same place are put in their order. */
export function spliced(text: string, splices: readonly Splice[]): string {
  let made = ''
  let done = 0
  for (const { from, to, put } of splices.toSorted((one, other) => one.from - other.from)) {
    made += text.slice(done, from) + put
    done = Math.max(done, to)
  }
  return made + text.slice(done)
}

/** The line end that a text uses first; a line feed where it has none. */
export function lineEndOf(text: string): string {
  return /\r\n|\n|\r/u.exec(text)?.[0] ?? '\n'
}

/** Where the line of an offset begins. */
export function lineStart(text: string, offset: number): number {
  const before = text.slice(0, offset)
  return Math.max(before.lastIndexOf('\n'), before.lastIndexOf('\r')) + 1
}

/** Where the line of an offset ends, before its line end. */
export function lineStop(text: string, offset: number): number {
  const found = /[\r\n]/u.exec(text.slice(offset))
  return found ? offset + found.index : text.length
}

/** The spaces and tabs that the line of an offset begins with. */
export function indentAt(text: string, offset: number): string {
  const start = lineStart(text, offset)
  return /^[ \t]*/u.exec(text.slice(start, offset))?.[0] ?? ''
}

/** An offset before the line end that stands before it, if one does. */
export function beforeLineEnd(text: string, offset: number): number {
  if (text.endsWith('\r\n', offset)) return offset - 2
  return /[\r\n]/u.test(text.charAt(offset - 1)) ? offset - 1 : offset
}

/** The lines of a piece, with the line end before them, or the one behind them at the beginning of the text. */
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

/** Where a text ends before the spaces, tabs and line ends at its end; other white space may be said by it. */
export function contentEnd(text: string): number {
  let end = text.length
  while (end > 0 && ' \t\r\n'.includes(text.charAt(end - 1))) end -= 1
  return end
}
