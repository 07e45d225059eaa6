import { readFileSync } from 'node:fs'

import { type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser'

import { AppError } from '../../src-shared/domain/app-error'
import { describeFault, positionOf } from '../core/import/text/read-json'

/** Reads a JSON file, with or without a byte order mark. Throws INVALID_REQUEST with a one-line message. */
export function readJson(file: string): unknown {
  const text = readText(file).replace(/^\uFEFF/, '')
  try {
    return JSON.parse(text)
  } catch (cause) {
    const message = `${file} doesn’t contain valid JSON. ${firstFault(text)}`.trim()
    throw new AppError('INVALID_REQUEST', message, { cause })
  }
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException
    const message =
      code === 'ENOENT' ? `File not found: ${file}.` : `${file} couldn’t be read (${String(code)}).`
    throw new AppError('INVALID_REQUEST', message, { cause })
  }
}

function firstFault(text: string): string {
  const faults: ParseError[] = []
  parseTree(text, faults, { disallowComments: true, allowEmptyContent: false })
  const [first] = faults
  if (first === undefined) return ''
  const { line, column } = positionOf(text, first.offset)
  return `Line ${line}, column ${column}: ${describeFault(printParseErrorCode(first.error))}`
}
