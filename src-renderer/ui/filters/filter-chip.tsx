import clsx from 'clsx'
import { ChevronDown } from 'lucide-react'
import type { JSX } from 'react'

import { Menu } from '../controls/menu'

/** One filter of a list: says what is chosen, and opens the choices. */
export function FilterChip({
  label,
  chosen,
  isSet,
  children,
}: {
  readonly label: string
  readonly chosen: string
  /** Whether it leaves anything out. */
  readonly isSet: boolean
  /** The choices. */
  readonly children: JSX.Element
}): JSX.Element {
  return (
    <Menu
      align="start"
      label={label}
      trigger={
        <button
          type="button"
          className={clsx('chip narrow', isSet && 'is-set')}
          aria-label={`${label}: ${chosen}`}
        >
          <span className="cut">{chosen}</span>
          <ChevronDown className="icon icon-s" aria-hidden />
        </button>
      }
    >
      {children}
    </Menu>
  )
}
