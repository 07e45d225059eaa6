import { type ReactElement, useState } from 'react'

import { call } from '../../ipc/call'
import { attempt } from '../../ipc/show-failure'
import { useApp } from '../../stores/app-store'
import { Button } from '../../ui/controls/button'
import { WarnText } from '../../ui/fields/field'
import { writtenOut } from '../../ui/text/format'
import { QuestionFrame, useAnswering } from './question-frame'
import type { QuestionOf } from './question-store'

function OpenButton(props: {
  readonly question: QuestionOf<'page'>
  readonly isResting: boolean
  readonly isAgain: boolean
  readonly onOpened: () => void
}): ReactElement {
  const { question, isResting, isAgain, onOpened } = props
  const { questionId } = question
  const isDesktop = useApp((state) => state.app?.info.wayIn === 'desktop')
  const label = isAgain ? 'Open again' : 'Open page'
  if (isDesktop || isResting)
    return (
      <Button
        size="form"
        variant={isAgain ? 'default' : 'primary'}
        disabled={isResting}
        onClick={() => void attempt(call('question.openPage', { questionId }).then(onOpened))}
      >
        {label}
      </Button>
    )
  return (
    <a
      className={isAgain ? 'btn btn-field' : 'btn btn-primary btn-field'}
      href={question.body.url}
      target="_blank"
      rel="noopener noreferrer"
      onClick={onOpened}
    >
      {label}
    </a>
  )
}

/** A page that a server wants opened. */
export function PageQuestion({
  question,
}: {
  readonly question: QuestionOf<'page'>
}): ReactElement {
  const answering = useAnswering(question)
  const { isResting, send } = answering
  const [isOpened, setIsOpened] = useState(false)
  const address = pageAddress(question.body.url)
  return (
    <QuestionFrame
      question={question}
      answering={answering}
      actions={
        <>
          {address !== undefined && (
            <OpenButton
              question={question}
              isResting={isResting}
              isAgain={isOpened}
              onOpened={() => setIsOpened(true)}
            />
          )}
          {isOpened && (
            <Button
              size="form"
              variant="primary"
              disabled={isResting}
              onClick={() => send({ kind: 'accept' })}
            >
              Done
            </Button>
          )}
        </>
      }
    >
      <div className="mt-4 grid gap-3">
        {address && (
          <p
            className="question-address source mono scroll max-h-32 rounded-lg border border-line bg-inset px-3 py-2 text-small"
            tabIndex={0}
            role="region"
            aria-label="Address"
          >
            {address.before}
            <b>{address.host}</b>
            {address.after}
          </p>
        )}
        <WarnText>{addressWarning(address)}</WarnText>
        <p role="status">
          {isOpened
            ? 'Finish in your browser, then select Done. The server is notified that you opened the page.'
            : 'Opens in your browser. Continue only if you recognize the domain in bold.'}
        </p>
      </div>
    </QuestionFrame>
  )
}

function addressWarning(address: PageAddress | undefined): string | undefined {
  if (address === undefined) return 'This request has no valid web address.'
  return address.isEncoded
    ? 'This domain has letters that can look like others, shown here as xn--. Open the page only if you know it.'
    : undefined
}

/** A web address in the three parts it is shown in, so that its host stands out. */
type PageAddress = {
  readonly before: string
  /** As the network knows it: letters beyond a to z are in punycode. */
  readonly host: string
  readonly after: string
  /** The host holds letters beyond a to z, which can look like others. */
  readonly isEncoded: boolean
}

/** Takes an address apart; undefined for what is no address of the web and is not opened. */
export function pageAddress(address: string): PageAddress | undefined {
  if (!URL.canParse(address)) return undefined
  const { protocol, host, href } = new URL(address)
  if (protocol !== 'https:' && protocol !== 'http:') return undefined
  const start = protocol.length + 2
  // The host is the end of the authority; what stands before it can look like one.
  const at = start + href.slice(start).search(/[/?#]|$/u) - host.length
  return {
    before: writtenOut(href.slice(0, at)),
    host: writtenOut(host),
    after: writtenOut(href.slice(at + host.length)),
    isEncoded: /(^|\.)xn--/u.test(host),
  }
}
