import type { TextPart } from '../../../src-shared/domain/agents/tool-run'

/**
 * A part of a long text, `length` UTF-16 units at most, or one less so that no surrogate pair is cut; of a pair alone
 * both. Empty behind the end.
 */
export function textPart(text: string, from: number, length: number): TextPart {
  const end = Math.min(from + length, text.length)
  const isInPair = isHigh(text.charCodeAt(end - 1)) && isLow(text.charCodeAt(end))
  const cut = end - 1 > from ? end - 1 : end + 1
  return { text: text.slice(from, isInPair ? cut : end), length: text.length }
}

function isHigh(unit: number): boolean {
  return unit >= 0xd8_00 && unit <= 0xdb_ff
}

function isLow(unit: number): boolean {
  return unit >= 0xdc_00 && unit <= 0xdf_ff
}
