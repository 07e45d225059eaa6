const ALL = 'find'
const CURRENT = 'find-current'
/** Of more than these nobody looks at each. */
const MAX_MATCHES = 1_000

/** Every place of `text` in the visible text of `root`, in any case. A match lies within one piece of text. */
function rangesOf(root: Element, text: string): Range[] {
  const wanted = text.toLocaleLowerCase()
  const ranges: Range[] = []
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT)
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const held = (node.textContent ?? '').toLocaleLowerCase()
    if (!held.includes(wanted) || node.parentElement?.checkVisibility() !== true) continue
    for (let at = held.indexOf(wanted); at >= 0; at = held.indexOf(wanted, at + wanted.length)) {
      // Some letters have another length in lower case.
      if (at + wanted.length > (node.textContent ?? '').length) break
      const range = new Range()
      range.setStart(node, at)
      range.setEnd(node, at + wanted.length)
      ranges.push(range)
      if (ranges.length === MAX_MATCHES) return ranges
    }
  }
  return ranges
}

/** How many matches there are, and which one is shown, from 1; 0 of 0 where there is none. */
export type Matches = { readonly count: number; readonly current: number }

/** Highlights every match on the page, and shows the one at `wanted`, counted from 1 and around either end. */
export function findInPage(text: string, wanted: number): Matches {
  endFind()
  const root = document.querySelector('#main')
  const ranges = root === null || text === '' ? [] : rangesOf(root, text)
  const count = ranges.length
  if (count === 0) return { count, current: 0 }
  const current = ((((wanted - 1) % count) + count) % count) + 1
  const shown = ranges[current - 1]
  CSS.highlights.set(ALL, new Highlight(...ranges))
  if (shown) {
    const highlight = new Highlight(shown)
    highlight.priority = 1
    CSS.highlights.set(CURRENT, highlight)
    shown.startContainer.parentElement?.scrollIntoView({ block: 'nearest' })
  }
  return { count, current }
}

/** Takes the highlights away. */
export function endFind(): void {
  CSS.highlights.delete(ALL)
  CSS.highlights.delete(CURRENT)
}
