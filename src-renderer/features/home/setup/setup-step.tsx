import clsx from 'clsx'
import { Check } from 'lucide-react'
import { type JSX, type ReactNode, useId } from 'react'

/** How far a step is. */
export type StepState = 'done' | 'current' | 'later'

const SPOKEN: Readonly<Record<StepState, string>> = {
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
      className="setup-step anchor row at-top gap-3"
      aria-current={state === 'current' ? 'step' : undefined}
    >
      <span className={clsx('setup-mark centered num fixed', `is-${state}`)}>
        {state === 'done' ? <Check className="icon icon-s" aria-hidden /> : number}
        <span className="sr">{SPOKEN[state]}</span>
      </span>
      <section className="grow slim stack gap-3" aria-labelledby={id}>
        <div className="row gap-3">
          <div className="grow slim">
            <h3 id={id} className={clsx('title', state === 'later' ? 'soft' : 'ink')}>
              {title}
            </h3>
            <p className="soft pretty">{text}</p>
          </div>
          {link}
        </div>
        {children}
      </section>
    </li>
  )
}
