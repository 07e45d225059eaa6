import { PART_LENGTH } from '../../../../src-shared/domain/agents/tool-run'
import type { JsonRemote } from '../../json/reading/json-thread'
import type { CutText } from '../../json/reading/result-content'
import type { TextSource } from '../../json/text/text-source'

/** A result that the thread holds, by the key of its text. */
export type HeldResult = { readonly remote: JsonRemote; readonly textKey: string }

/** A text within a result as a source of its own, such as JSON that a server sends as a string. */
export function innerText(
  { remote, textKey }: HeldResult,
  { node, length }: Pick<CutText, 'node' | 'length'>,
): TextSource {
  return {
    key: `${textKey} at ${node}`,
    length,
    read: (from) => remote.stringPart(textKey, node, from, PART_LENGTH),
  }
}

/** Whether a text looks like an object or array of JSON, by how it begins. */
export function looksLikeJson(text: string): boolean {
  return /^\s*(?:\{\s*["}]|\[\s*[[{"\d\]tfn-])/u.test(text.slice(0, 1_000))
}
