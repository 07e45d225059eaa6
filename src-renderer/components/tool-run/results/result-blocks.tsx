import type { JSX } from 'react'
import { Fragment, useEffect, useState } from 'react'

import { toErrorShape } from '../../../ipc/call'
import { Button } from '../../../ui/controls/button'
import { Skeleton } from '../../../ui/layout/skeleton'
import { formatCount } from '../../../ui/text/format'
import { PlainText } from '../../../ui/text/plain-text'
import { writtenOut } from '../../../ui/text/visible-text'
import type { ContentItem, ResultFacts } from '../../json/reading/result-content'
import type { TextSource } from '../../json/text/text-source'
import type { HeldResult } from './inner-text'
import { ResultBlock } from './result-block'

/** How many blocks are shown at once. */
const STEP = 25

export type ResultBlocksProps = HeldResult & {
  readonly source: TextSource
  readonly facts: ResultFacts
  readonly onOpenResource?: ((uri: string) => void) | undefined
}

type Read = { readonly items: readonly ContentItem[]; readonly problem?: string }

function useItems({ remote, textKey }: HeldResult, wanted: number): Read {
  const [read, setRead] = useState<Read>({ items: [] })
  const known = read.items.length
  useEffect(() => {
    if (known >= wanted) return undefined
    let isOver = false
    remote.items(textKey, known, wanted).then(
      (more) => {
        if (!isOver) setRead(({ items }) => ({ items: [...items, ...more] }))
      },
      (thrown: unknown) => {
        if (!isOver) setRead({ items: [], problem: toErrorShape(thrown).message })
      },
    )
    return () => {
      isOver = true
    }
  }, [remote, textKey, known, wanted])
  return read
}

/** Who says a message of a prompt. */
function roleWords(role: string): string {
  if (role === 'user') return 'User'
  if (role === 'assistant') return 'Assistant'
  return role === '' ? 'Unknown role' : writtenOut(role.slice(0, 80))
}

/** The blocks of content of a result, those of a prompt as a conversation. */
export function ResultBlocks(props: ResultBlocksProps): JSX.Element {
  const { facts, onOpenResource, ...held } = props
  const [shown, setShown] = useState(STEP)
  const wanted = Math.min(shown, facts.count)
  const { items, problem } = useItems(held, wanted)
  if (facts.count === 0) return <p className="soft small">Empty result</p>
  if (problem !== undefined) return <p className="soft small">{problem}</p>
  if (items.length === 0) return <Skeleton label="Loading result" rows={2} />
  return (
    <>
      {facts.description !== undefined && <PlainText text={facts.description} />}
      {items.map((item, index) => {
        const isFirstOfRole = item.role !== undefined && item.role !== items[index - 1]?.role
        return (
          <Fragment key={item.node}>
            {isFirstOfRole && <p className="medium ink above-2">{roleWords(item.role ?? '')}</p>}
            <ResultBlock {...held} item={item} number={index + 1} onOpenResource={onOpenResource} />
          </Fragment>
        )
      })}
      {items.length < facts.count && (
        <div>
          <Button size="small" onClick={() => setShown(shown + STEP)}>
            Show {formatCount(Math.min(STEP, facts.count - items.length))} more of{' '}
            {formatCount(facts.count)}
          </Button>
        </div>
      )}
    </>
  )
}
