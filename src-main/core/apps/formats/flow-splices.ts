import {
  contentEnd,
  indentAt,
  isBlank,
  lineEndOf,
  lineStart,
  lineStop,
  type Splice,
} from './host-text'

/** A collection in brackets: its own offsets and its children's. Comments start with `#`. */
export type Flow = {
  readonly from: number
  readonly to: number
  readonly children: readonly { readonly from: number; readonly to: number }[]
}

/** Returns the splices that add a last child. */
export function flowInsertion(text: string, { from, to, children }: Flow, child: string): Splice[] {
  const last = children.at(-1)
  if (!last) {
    const open = from + 1
    const close = to - 1
    if (!isBlank(text, open, close)) {
      // After the comment that is the only content.
      const at = open + contentEnd(text.slice(open, close))
      return [{ from: at, to: at, put: `${lineEndOf(text)}${indentAt(text, from)}  ${child}` }]
    }
    const space = text.charAt(from) === '{' ? ' ' : ''
    return [{ from: open, to: close, put: space + child + space }]
  }
  const comma = commaAfter(text, last.to)
  if (comma !== undefined) return [{ from: comma + 1, to: comma + 1, put: ` ${child},` }]
  return [{ from: last.to, to: last.to, put: `, ${child}` }]
}

/** Returns the splices that remove a child with its comma. */
export function flowRemoval(text: string, flow: Flow, index: number): Splice[] {
  const { from, to, children } = flow
  const child = children[index]
  if (!child) return []
  if (isAlone(text, flow)) return [{ from: from + 1, to: to - 1, put: '' }]
  const comma = commaAfter(text, child.to)
  const before = children[index - 1]
  if (index === children.length - 1 && before) {
    const earlier = commaAfter(text, before.to) ?? before.to
    // A trailing comma is the text's style.
    if (comma !== undefined) return [{ from: earlier + 1, to: comma + 1, put: '' }]
    return [{ from: earlier, to: child.to, put: '' }]
  }
  if (comma === undefined) {
    const isLine =
      isBlank(text, lineStart(text, child.from), child.from) &&
      isBlank(text, child.to, lineStop(text, child.to))
    const start = isLine ? contentEnd(text.slice(0, child.from)) : child.from
    return [{ from: start, to: child.to, put: '' }]
  }
  const space = /^[ \t]*/u.exec(text.slice(comma + 1))?.[0].length ?? 0
  return [{ from: child.from, to: comma + 1 + space, put: '' }]
}

/** Whether the only child has no comments around it. */
export function isAlone(text: string, { from, to, children }: Flow): boolean {
  const [child] = children
  if (!child || children.length > 1) return false
  return isBlank(text, from + 1, child.from) && isBlank(text, child.to, to - 1)
}

const COMMA = /(?:[ \t\r\n]|#[^\r\n]*)*,/uy

function commaAfter(text: string, offset: number): number | undefined {
  COMMA.lastIndex = offset
  return COMMA.test(text) ? COMMA.lastIndex - 1 : undefined
}
