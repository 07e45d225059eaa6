import { AppWindow, ClipboardPaste, PackageOpen, PencilLine, Plus } from 'lucide-react'
import { type ReactElement, useRef, useState } from 'react'
import { useLocation, useSearch } from 'wouter'

import type { AppErrorShape } from '../../../src-shared/domain/app-error'
import type { CatalogEntry } from '../../../src-shared/domain/catalog/catalog-entry'
import { PASTED_SOURCE } from '../../../src-shared/domain/catalog/listed-ref'
import type { TextProblem } from '../../../src-shared/domain/installation/configuration'
import { AddedServers } from '../../components/configuration/added-servers'
import { ReviewCard } from '../../components/configuration/review/review-card'
import { reviewSummary } from '../../components/configuration/review/review-messages'
import { useApp } from '../../stores/app-store'
import { Button } from '../../ui/controls/button'
import { Menu, MenuAction } from '../../ui/controls/menu'
import { Field } from '../../ui/fields/field'
import { ProblemText } from '../../ui/fields/problem-text'
import { CodeArea } from '../../ui/fields/text-input'
import { Dialog } from '../../ui/overlays/dialog'
import { counted } from '../../ui/text/format'
import { changeList, setCatalogView } from './filters/catalog-view-store'
import { NO_CHOICES } from './filters/filter-choices'
import { MainButton, PasteProblem, ReadEntry, ReadServers, WORDS } from './paste/paste-steps'
import { noChoice, type Paste, type PasteStep } from './paste/use-paste'
import { usePasteFlow } from './paste/use-paste-flow'

/** The ways to a server that no catalog lists; the address `?paste` opens the dialog that takes a text. */
export function AddMenu(): ReactElement {
  const [, navigate] = useLocation()
  const search = useSearch()
  const [pasting, setPasting] = useState(() => new URLSearchParams(search).has('paste'))
  return (
    <>
      <Menu label="Add your own" trigger={<Button icon={Plus}>Add your own</Button>}>
        <MenuAction icon={AppWindow} onSelect={() => navigate('/import')}>
          From your apps
        </MenuAction>
        <MenuAction icon={ClipboardPaste} onSelect={() => setPasting(true)}>
          Paste configuration
        </MenuAction>
        <MenuAction icon={PencilLine} onSelect={() => navigate('/by-hand')}>
          Enter manually
        </MenuAction>
        <MenuAction icon={PackageOpen} onSelect={() => navigate('/bundle')}>
          Open bundle
        </MenuAction>
      </Menu>
      {pasting && (
        <PasteDialog
          onClose={() => setPasting(false)}
          onRead={({ server: { name } }) => {
            changeList({ query: '', choices: NO_CHOICES, sort: 'relevance' })
            setCatalogView({ selected: { sourceId: PASTED_SOURCE, name } })
          }}
        />
      )}
    </>
  )
}

function PasteBody({ paste }: { readonly paste: Paste }): ReactElement {
  const { step } = paste
  switch (step.kind) {
    case 'text':
      return <PasteText {...step} text={paste.text} onTextChange={paste.change} />
    case 'entry':
      return (
        <>
          <PasteText text={paste.text} broken={[]} problem={null} onTextChange={paste.change} />
          <ReadEntry entry={step.entry} />
        </>
      )
    case 'servers':
      return <ReadServers step={step} paste={paste} />
    case 'added':
      return <AddedServers servers={step.servers} />
  }
}

/** The buttons that lead back or away. */
function OtherButtons(props: {
  readonly paste: Paste
  readonly onClose: () => void
}): ReactElement | null {
  const { paste, onClose } = props
  const { step } = paste
  if (step.kind === 'added') return null
  return (
    <>
      {step.kind === 'servers' ? (
        <Button size="form" onClick={paste.back}>
          Back to text
        </Button>
      ) : null}
      <Button size="form" onClick={onClose}>
        {step.kind === 'text' ? 'Cancel' : 'Close'}
      </Button>
    </>
  )
}

/** Takes a configuration or a server.json as text, shows what it becomes, and adds what the user chooses. */
function PasteDialog(props: {
  readonly onClose: () => void
  /** Called with every server.json that was read. */
  readonly onRead: (entry: CatalogEntry) => void
}): ReactElement {
  const { onClose } = props
  const { paste, setUp } = usePasteFlow(props)
  const { step } = paste
  const [isReviewing, setIsReviewing] = useState(false)
  if (step.kind === 'servers' && isReviewing)
    return (
      <Dialog
        wide
        onClose={onClose}
        title="Approve servers"
        description="Patchbay will run exactly these commands with your user permissions."
        actions={<ReviewButtons step={step} paste={paste} onBack={() => setIsReviewing(false)} />}
      >
        <div className="stack gap-3 above-4">
          <PasteReview step={step} paste={paste} />
          <PasteProblem step={step} />
        </div>
      </Dialog>
    )
  const isSeveral = step.kind === 'servers' && step.picked.size > 1
  return (
    <Dialog
      wide
      onClose={onClose}
      title={step.kind === 'added' ? 'Servers added' : 'Paste configuration'}
      description={WORDS[step.kind]}
      actions={
        <>
          <OtherButtons paste={paste} onClose={onClose} />
          {isSeveral ? (
            <Button size="form" variant="primary" onClick={() => setIsReviewing(true)}>
              {`Review ${counted(step.picked.size, 'server')}`}
            </Button>
          ) : (
            <MainButton paste={paste} onSetUp={setUp} onClose={onClose} />
          )}
        </>
      }
    >
      <div className="stack gap-3 above-4">
        <PasteBody paste={paste} />
      </div>
    </Dialog>
  )
}

type ReviewProps = {
  readonly step: Extract<PasteStep, { kind: 'servers' }>
  readonly paste: Paste
}

/** The commands of several pasted servers, all of them in full. */
function PasteReview({ step, paste }: ReviewProps): ReactElement {
  const isInMemory = useApp(({ app }) => app?.secretStore.kind === 'memory')
  const candidates = step.servers
    .filter(({ preview }) => preview !== null)
    .map((server) => ({ key: String(server.index), from: [], server }))
  const included = candidates.filter(({ server }) => step.picked.has(server.index))
  return (
    <>
      <p className="soft">{reviewSummary(included, { isInMemory })}</p>
      <ul className="bounded scroll stack gap-3" aria-label="Commands to approve" tabIndex={0}>
        {candidates.map((candidate) => (
          <ReviewCard
            key={candidate.key}
            candidate={candidate}
            isIncluded={step.picked.has(candidate.server.index)}
            secretsInMemory={isInMemory}
            onInclude={(isIncluded) => paste.pick(candidate.server.index, isIncluded)}
            onAdjust={(change) =>
              paste.choose({
                ...(step.choices.get(candidate.server.index) ?? noChoice(candidate.server.index)),
                [change]: true,
              })
            }
          />
        ))}
      </ul>
    </>
  )
}

/** The ways on from the review: back, without approval, or with it. */
function ReviewButtons(props: ReviewProps & { readonly onBack: () => void }): ReactElement {
  const { step, paste, onBack } = props
  const count = step.picked.size
  const isBarred = count === 0
  const add = (approves: boolean): void => {
    if (!isBarred) paste.add({ approves })
  }
  return (
    <>
      <Button size="form" onClick={onBack}>
        Back
      </Button>
      <Button size="form" aria-disabled={isBarred || undefined} onClick={() => add(false)}>
        Add without approval
      </Button>
      <Button
        size="form"
        variant="primary"
        busy={paste.busy}
        aria-disabled={isBarred || undefined}
        onClick={() => add(true)}
      >
        {`Approve ${counted(count, 'server')}`}
      </Button>
    </>
  )
}

/** Offset of a place in a text; both are counted from 1. */
function offsetOf(text: string, { line, column }: TextProblem): number {
  const lines = text.split('\n').slice(0, line - 1)
  return lines.reduce((sum, one) => sum + one.length + 1, 0) + column - 1
}

function BrokenPlaces(props: {
  readonly problems: readonly TextProblem[]
  readonly onChoose: (problem: TextProblem) => void
}): ReactElement | null {
  const { problems, onChoose } = props
  if (problems.length === 0) return null
  return (
    <ul className="stack gap-1 above-1 soft small" role="alert" aria-label="Errors in the text">
      {problems.map((problem, index) => (
        <li key={index}>
          <button
            type="button"
            className="text-button accent bare underlined"
            onClick={() => onChoose(problem)}
          >
            Line {problem.line}, column {problem.column}
          </button>
          : {problem.message}
        </li>
      ))}
    </ul>
  )
}

/** The text with what is wrong in it; a mistake leads to its place. */
function PasteText(props: {
  readonly text: string
  readonly broken: readonly TextProblem[]
  readonly problem: AppErrorShape | null
  readonly onTextChange: (text: string) => void
}): ReactElement {
  const { text, broken, problem, onTextChange } = props
  const area = useRef<HTMLTextAreaElement>(null)
  function goTo(place: TextProblem): void {
    const at = offsetOf(text, place)
    area.current?.focus()
    area.current?.setSelectionRange(at, Math.min(text.length, at + 1))
  }
  const isBroken = broken.length > 0
  return (
    <>
      <Field
        id="configuration"
        label="Configuration"
        hint="Paste a configuration, a server.json, an install link of any app, a command, or an address."
        problem={problem?.message}
      >
        {(ids) => (
          <CodeArea
            {...ids}
            ref={area}
            aria-invalid={isBroken || problem !== null || undefined}
            autoFocus
            rows={12}
            placeholder={
              '{\n  "mcpServers": {\n    "notes": { "command": "npx", "args": ["-y", "notes-mcp"] }\n  }\n}'
            }
            value={text}
            onValueChange={onTextChange}
          />
        )}
      </Field>
      {problem?.hint === undefined ? null : <p>{problem.hint}</p>}
      {isBroken ? (
        <div>
          <ProblemText alert={false}>Invalid JSON.</ProblemText>
          <BrokenPlaces problems={broken} onChoose={goTo} />
        </div>
      ) : null}
    </>
  )
}
