import clsx from 'clsx'
import type { LucideIcon } from 'lucide-react'
import type { ComponentPropsWithRef, JSX } from 'react'

import { Tooltip } from './tooltip'

/** A quiet square button: its label is spoken, and shown with its shortcut in a tooltip. */
export function IconButton({
  label,
  icon: Icon,
  shortcut,
  small = false,
  className,
  ...rest
}: Omit<ComponentPropsWithRef<'button'>, 'children' | 'aria-label'> & {
  readonly label: string
  readonly icon: LucideIcon
  readonly shortcut?: string
  readonly small?: boolean
}): JSX.Element {
  return (
    <Tooltip content={label} shortcut={shortcut}>
      <button
        type="button"
        aria-label={label}
        aria-keyshortcuts={shortcut}
        className={clsx('btn btn-quiet btn-icon', small && 'btn-small text-small', className)}
        {...rest}
      >
        <Icon className={clsx('icon', small && 'icon-s')} aria-hidden />
      </button>
    </Tooltip>
  )
}
