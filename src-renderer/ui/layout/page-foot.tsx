import type { ReactElement, ReactNode } from 'react'

/** The foot of a page that ends in a press: why the last one was refused, what the next one means, and its buttons. */
export function PageFoot(props: {
  readonly label: string
  /** A banner. */
  readonly refusal: ReactNode
  readonly children: ReactNode
}): ReactElement {
  const { label, refusal, children } = props
  return (
    <div className="fixed">
      {refusal ? (
        <div className="pad-3 ruled-above" role="alert">
          {refusal}
        </div>
      ) : null}
      <section className="consent pad-bar row gap-3 surface ruled-above" aria-label={label}>
        {children}
      </section>
    </div>
  )
}
