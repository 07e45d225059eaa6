import { type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser'

import { quoted } from './argument-place'
import { unwrapped } from './shown-value'

/** Longer texts are not read for the place of a fault. */
const LONGEST = 1024 * 1024
const SHOWN_BEFORE = 30

/** What is wrong with arguments that came as a text instead of an object, as sentences. */
export function textFault(text: string): string {
  const inner = unwrapped(text)
  if (typeof inner === 'object' && inner !== null && !Array.isArray(inner))
    return 'The arguments are a JSON text; send the object itself, without quotes or fences around it.'
  if (inner !== undefined) return 'The arguments must be an object, and are a text.'
  return `The arguments are a text that is no JSON${placeOfFault(text)}; send an object.`
}

function placeOfFault(text: string): string {
  if (text.length > LONGEST) return ''
  const errors: ParseError[] = []
  parseTree(text, errors, { disallowComments: true })
  const [first] = errors
  if (!first) return ''
  const what = printParseErrorCode(first.error).replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ')
  const before = text.slice(Math.max(0, first.offset - SHOWN_BEFORE), first.offset)
  const after = before === '' ? '' : `, after ${quoted(before)}`
  return `: ${what.toLowerCase()} at character ${first.offset + 1}${after}`
}
