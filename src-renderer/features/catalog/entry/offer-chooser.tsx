import clsx from 'clsx'
import type { KeyboardEvent, ReactElement } from 'react'

import type { OfferRef } from '../../../../src-shared/domain/server-json/offer'
import { Select } from '../../../ui/controls/select'
import { Field } from '../../../ui/fields/field'
import { PartHead } from '../../../ui/layout/section'
import { Tag } from '../../../ui/marks/tag'
import { formatCount } from '../../../ui/text/format'
import type { OfferView } from './offer-messages'

type OfferChooserProps = {
  readonly views: readonly OfferView[]
  readonly value: OfferView
  readonly onChange: (ref: OfferRef) => void
  /** Sets the chosen one up. */
  readonly onOpen: () => void
}

/** More of them would fill the window, and are a list to open. */
const MOST_RADIOS = 6
const LONGEST_OPTION = 90

function OfferRadio(props: {
  readonly view: OfferView
  readonly isChosen: boolean
  readonly onChoose: () => void
  readonly onOpen: () => void
}): ReactElement {
  const { view, isChosen, onChoose, onOpen } = props
  const { id, label, place, version, note, isRecommended } = view
  function onKeyDown(event: KeyboardEvent): void {
    if (event.key !== 'Enter') return
    event.preventDefault()
    onOpen()
  }
  return (
    <label
      className={clsx('offer flex at-top gap-2 pad-row box surface', isChosen && 'lit is-selected')}
    >
      <input
        type="radio"
        className="check"
        name="offer"
        value={id}
        checked={isChosen}
        aria-labelledby={`${id}-name`}
        aria-describedby={`${id}-note`}
        onChange={onChoose}
        onKeyDown={onKeyDown}
      />
      <span className="stack grow">
        <span className="stack slim" id={`${id}-name`}>
          <span className="row gap-2 slim spread">
            <b className="cut" title={label}>
              {label}
            </b>{' '}
            {isRecommended ? <Tag tone="accent">Recommended</Tag> : null}
          </span>
          <span className="clamp break" title={place}>
            <code>{place}</code>{' '}
            {version === undefined ? null : <span className="soft small num">{version}</span>}
          </span>
        </span>
        <span className="soft small break" id={`${id}-note`}>
          {note}
        </span>
      </span>
    </label>
  )
}

function optionText({ label, place, version = '', isRecommended }: OfferView): string {
  const whole = `${label}: ${place} ${version}`.trim()
  const text = whole.length > LONGEST_OPTION ? `${whole.slice(0, LONGEST_OPTION)}…` : whole
  return isRecommended ? `${text} (recommended)` : text
}

/** Which of several offers of an entry is to be set up. */
export function OfferChooser(props: OfferChooserProps): ReactElement | null {
  const { views, value, onChange, onOpen } = props
  if (views.length < 2) return null
  if (views.length > MOST_RADIOS)
    return (
      <Field
        id="offer-choice"
        label={`Ways to run (${formatCount(views.length)})`}
        hint={value.note}
      >
        {(ids) => (
          <Select
            {...ids}
            value={value.id}
            onValueChange={(next) => {
              const view = views.find(({ id }) => id === next)
              if (view) onChange(view.ref)
            }}
            options={views.map((view) => ({ value: view.id, label: optionText(view) }))}
          />
        )}
      </Field>
    )
  return (
    <section aria-labelledby="offers">
      <PartHead id="offers" level={3} title="Ways to run" count={views.length} />
      <div className="offers stack gap-2" role="radiogroup" aria-labelledby="offers">
        {views.map((view) => (
          <OfferRadio
            key={view.id}
            view={view}
            isChosen={view.id === value.id}
            onChoose={() => onChange(view.ref)}
            onOpen={onOpen}
          />
        ))}
      </div>
    </section>
  )
}
