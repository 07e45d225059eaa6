import clsx from 'clsx'
import { Check } from 'lucide-react'
import { type JSX, type ReactNode, useId } from 'react'

/** State of a step. */
export type StepState = 'done' | 'current' | 'later'

const STATE_LABELS: Readonly<Record<StepState, string>> = {
  done: 'Done',
  current: 'Current step',
  later: 'Later',
}

/** One step of the setup guide. */
export function SetupStep(props: {
  readonly number: number
  readonly title: string
  readonly state: StepState
  readonly text: string
  readonly link?: ReactNode
  readonly children?: ReactNode
}): JSX.Element {
  const { number, title, state, text, link, children } = props
  const id = useId()
  return (
    <li
      className="setup-step relative flex items-start gap-3 pb-6"
      aria-current={state === 'current' ? 'step' : undefined}
    >
      <span
        className={clsx('setup-mark grid flex-none place-items-center tabular-nums', `is-${state}`)}
      >
        {state === 'done' ? <Check className="icon icon-s" aria-hidden /> : number}
        <span className="sr-only">{STATE_LABELS[state]}</span>
      </span>
      <section className="grid min-w-0 flex-1 gap-3" aria-labelledby={id}>
        <div className="flex items-center gap-3">
          <div className="min-w-0 flex-1">
            <h3
              id={id}
              className={clsx('text-title', state === 'later' ? 'text-muted' : 'text-foreground')}
            >
              {title}
            </h3>
            <p className="text-pretty text-muted">{text}</p>
          </div>
          {link}
        </div>
        {children}
      </section>
    </li>
  )
}
