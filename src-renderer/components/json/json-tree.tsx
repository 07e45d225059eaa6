import clsx from 'clsx'
import { ChevronRight, Copy, Route } from 'lucide-react'
import { type JSX, type KeyboardEvent, type ReactNode, useMemo, useRef, useState } from 'react'

import { IconButton } from '../../ui/controls/button'
import { MatchSteps, SearchField } from '../../ui/controls/search-field'
import { type ListItem, useVirtualList } from '../../ui/list/virtual-list'
import { Dialog } from '../../ui/overlays/dialog'
import { copyText } from '../../ui/saving/copy-text'
import { formatCount } from '../../ui/text/format'
import { escapeInvisible, visibleText } from '../../ui/text/untrusted-text'
import { isContainer, type JsonNode, pointerOf, valueText } from './json-nodes'
import { LongText, MAX_TEXT_LENGTH } from './long-text'
import {
  findText,
  reveal,
  rowWithPrefix,
  setOpen,
  siblings,
  treeOf,
  type TreeState,
} from './tree-state'

/** Height of a row, in rem. */
const ROW = 1.375
/** Maximum indent in levels. Deeper rows show their depth instead. */
const MAX_INDENT = 20
/** Maximum length of a text and of a name in a row, in UTF-16 units. */
const [ROW_TEXT, ROW_NAME] = [240, 120]
/** Maximum time between two letters of one type-ahead search, in ms. */
const TYPING_MS = 700

const KIND_CLASSES = {
  object: 'text-muted',
  array: 'text-muted',
  string: 'text-status is-ready',
  number: 'text-accent',
  boolean: 'text-status ink-magenta',
  null: 'text-status ink-magenta',
} as const

/** A text with the first match of a search highlighted, ignoring case. */
function Highlighted({
  text,
  wanted,
}: {
  readonly text: string
  readonly wanted: string
}): JSX.Element {
  const at = wanted === '' ? -1 : text.toLowerCase().indexOf(wanted.toLowerCase())
  if (at === -1) return <>{text}</>
  const end = at + wanted.length
  return (
    <>
      {text.slice(0, at)}
      <mark className="hit">{text.slice(at, end)}</mark>
      {text.slice(end)}
    </>
  )
}

function truncate(text: string, maxLength: number): string {
  return text.length > maxLength ? `${text.slice(0, maxLength)}…` : text
}

type RowProps = {
  readonly tree: TreeState
  readonly item: ListItem
  readonly isCurrent: boolean
  readonly wanted: string
  readonly onToggle: (row: number) => void
  readonly onShowAll: (node: JsonNode) => void
}

function Value({ node, wanted, onShowAll }: Omit<RowProps, 'tree'> & { readonly node: JsonNode }) {
  const { kind, children, source: text } = node
  if (isContainer(node)) {
    const shown = children.length === 0 ? '' : formatCount(children.length)
    return (
      <span className="flex-none text-faint">
        {kind === 'object' ? `{${shown}}` : `[${shown}]`}
      </span>
    )
  }
  return (
    <>
      <span className={clsx('overflow-hidden text-ellipsis', KIND_CLASSES[kind])}>
        <Highlighted text={visibleText(truncate(text, ROW_TEXT))} wanted={wanted} />
      </span>
      {text.length > ROW_TEXT && (
        <button
          type="button"
          className="text-button bare ms-2 flex-none text-accent"
          tabIndex={-1}
          onClick={(event) => {
            event.stopPropagation()
            onShowAll(node)
          }}
        >
          Show all
        </button>
      )}
    </>
  )
}

function Row(props: RowProps): JSX.Element | null {
  const { tree, item, isCurrent, wanted, onToggle } = props
  const { index, top, isStop } = item
  const { root, open, rows } = tree
  const node = rows[index]
  if (node === undefined) return null
  const depth = node.depth - root.depth
  const isRoot = node === root
  const hasValues = node.children.length > 0
  return (
    <div
      role="treeitem"
      tabIndex={isStop ? 0 : -1}
      aria-level={depth + 1}
      aria-setsize={isRoot ? 1 : node.parent?.children.length}
      aria-posinset={isRoot ? 1 : node.place + 1}
      aria-selected={isCurrent}
      aria-expanded={hasValues ? open.has(node) : undefined}
      data-index={index}
      className={clsx(
        'json-line absolute inset-x-0 top-0 flex h-5.5 cursor-default items-center pe-3 whitespace-pre',
        isCurrent ? 'is-current bg-press' : 'hover:bg-hover',
      )}
      style={{ top, paddingInlineStart: `${Math.min(depth, MAX_INDENT) + 0.5}em` }}
      onClick={() => onToggle(index)}
    >
      <span className="inline-flex w-5 flex-none items-center text-faint" aria-hidden>
        {hasValues && (
          <ChevronRight className={clsx('icon icon-s', open.has(node) && 'rotate-90')} />
        )}
      </span>
      {depth > MAX_INDENT && (
        <span className="flex-none text-micro text-faint">{depth + 1} deep </span>
      )}
      {!isRoot && (
        <>
          <span className="max-w-1/2 flex-none overflow-hidden font-medium text-ellipsis text-foreground">
            <Highlighted
              text={escapeInvisible(truncate(node.key ?? String(node.place), ROW_NAME))}
              wanted={wanted}
            />
          </span>
          <span className="flex-none text-faint">: </span>
        </>
      )}
      <Value {...props} node={node} />
    </div>
  )
}

/** Type-ahead: joins letters that follow each other quickly. */
export class TypeAhead {
  #text = ''
  #at = 0

  /** Returns the text typed so far; undefined for a key without a character. A space cannot start a text. */
  add({
    key,
    timeStamp,
  }: {
    readonly key: string
    readonly timeStamp: number
  }): string | undefined {
    const isNew = timeStamp - this.#at >= TYPING_MS
    if (!/^.$/u.test(key) || (key === ' ' && (isNew || this.#text === ''))) return undefined
    this.#text = isNew ? key : this.#text + key
    this.#at = timeStamp
    return this.#text
  }
}

type SearchResult = {
  readonly text: string
  readonly nodes: readonly JsonNode[]
  readonly at: number
}

function Search(props: {
  readonly label: string
  readonly found: SearchResult
  readonly onSearch: (text: string) => void
  readonly onStep: (by: 1 | -1) => void
  readonly onEnter: () => void
}): JSX.Element {
  const { label, found: result, onSearch, onStep, onEnter } = props
  const { text, nodes, at } = result
  const none = nodes.length === 0
  const countText = none ? '0 found' : `${formatCount(at + 1)} of ${formatCount(nodes.length)}`
  return (
    <>
      <SearchField
        label={`Search in ${label}`}
        placeholder="Search"
        value={text}
        onChange={onSearch}
        meta={<span role="status">{text === '' ? '' : countText}</span>}
        onEnter={(isBack) => onStep(isBack ? -1 : 1)}
        onArrowDown={(event) => {
          event.preventDefault()
          onEnter()
        }}
      />
      <MatchSteps disabled={none} onStep={onStep} />
    </>
  )
}

const NOTHING: SearchResult = { text: '', nodes: [], at: 0 }

/** A JSON value as a searchable tree (ARIA tree view). Numbers and duplicate names stay as written. */
export function JsonTree(props: {
  readonly root: JsonNode
  readonly label: string
  /** Content at the end of the bar above the tree. */
  readonly tools: ReactNode
}): JSX.Element {
  const { root, label, tools } = props
  const [tree, setTree] = useState(() => treeOf(root))
  const [row, setRow] = useState(0)
  const [result, setResult] = useState(NOTHING)
  const [expanded, setExpanded] = useState<JsonNode>()
  const typed = useRef<TypeAhead>(null)
  const { rows, open } = tree
  const list = useVirtualList({
    count: rows.length,
    sizeOf: () => ROW,
    current: row,
    onFocus: setRow,
  })
  const node = rows[row] ?? root
  const toggle = (at: number, isOpen = !open.has(rows[at] ?? root)): void => {
    setRow(at)
    setTree(setOpen(tree, [rows[at] ?? root], isOpen))
  }
  const show = (state: TreeState, target: JsonNode): void => {
    const at = state.rows.indexOf(target)
    setTree(state)
    setRow(at)
    list.scrollTo(at, 'center')
  }
  const showResult = (next: SearchResult): void => {
    setResult(next)
    const target = next.nodes[next.at]
    if (target !== undefined) show(reveal(tree, target), target)
  }
  const copyValue = (): void => copyText(valueText(node, Infinity), 'Value copied.')
  const isOpen = open.has(node)
  const isLong = !isContainer(node) && node.source.length > ROW_TEXT
  const choose = (): void => (isLong ? setExpanded(node) : toggle(row))
  const collapse = (): void => {
    if (isOpen) toggle(row, false)
    else list.goTo(Math.max(0, rows.indexOf(node.parent ?? root)))
  }
  const moves = new Map([
    ['Enter', choose],
    [' ', choose],
    ['ArrowRight', () => (isOpen ? list.goTo(row + 1) : toggle(row, true))],
    ['ArrowLeft', collapse],
  ])
  const act = (event: KeyboardEvent): (() => void) | undefined => {
    const { key, ctrlKey, metaKey, altKey } = event
    const isCopying = key.toLowerCase() === 'c' && (ctrlKey || metaKey)
    if (isCopying) return getSelection()?.isCollapsed === false ? undefined : copyValue
    if (ctrlKey || metaKey || altKey) return undefined
    const beginning = (typed.current ??= new TypeAhead()).add(event)
    if (key === '*') return () => show(setOpen(tree, siblings(tree, node), true), node)
    if (beginning !== undefined)
      return () => list.goTo(Math.max(0, rowWithPrefix(tree, beginning, row)))
    return moves.get(key)
  }
  const press = (event: KeyboardEvent<HTMLElement>): void => {
    const action = act(event)
    if (action) {
      event.preventDefault()
      action()
    } else list.holder.onKeyDown(event)
  }
  return (
    <>
      <div
        className="json-tools flex flex-wrap items-center gap-1"
        role="group"
        aria-label={`${label}: search, copy, save`}
      >
        <Search
          label={label}
          found={result}
          onSearch={(text) => showResult({ text, nodes: findText(tree, text), at: 0 })}
          onStep={(by) => {
            const count = result.nodes.length
            if (count > 0) showResult({ ...result, at: (result.at + by + count) % count })
          }}
          onEnter={() => list.goTo(row)}
        />
        <IconButton small icon={Copy} label="Copy value" onClick={copyValue} />
        <IconButton
          small
          icon={Route}
          label="Copy path"
          onClick={() => copyText(pointerOf(node), 'Path copied.')}
        />
        {tools}
      </div>
      <div className="json-tree bounded scroll rounded-lg border border-line bg-inset px-3 py-2">
        <div {...list.holder} role="tree" aria-label={label} className="relative" onKeyDown={press}>
          {list.items.map((item) => (
            <Row
              key={item.key}
              {...{ tree, item }}
              isCurrent={item.index === row}
              wanted={result.text}
              onToggle={toggle}
              onShowAll={setExpanded}
            />
          ))}
        </div>
      </div>
      {expanded !== undefined && <ValueDialog node={expanded} onClose={setExpanded} />}
    </>
  )
}

function ValueDialog(props: {
  readonly node: JsonNode
  readonly onClose: (none: undefined) => void
}): JSX.Element {
  const text = useMemo(() => valueText(props.node, MAX_TEXT_LENGTH), [props])
  return (
    <Dialog wide onClose={() => props.onClose(undefined)} title="Whole value">
      <LongText text={text} label="Whole value" />
    </Dialog>
  )
}
