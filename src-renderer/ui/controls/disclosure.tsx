import clsx from 'clsx'
import { ChevronRight } from 'lucide-react'
import type { JSX } from 'react'

/** The button that opens and closes what stands below it; `controls` is the element id of that. */
export function DisclosureButton({
  label,
  open,
  controls,
  onOpenChange,
}: {
  readonly label: string
  readonly open: boolean
  readonly controls: string
  readonly onOpenChange: (open: boolean) => void
}): JSX.Element {
  return (
    <button
      type="button"
      className="disclosure bare inline-row small gap-1 faint medium"
      aria-expanded={open}
      aria-controls={controls}
      onClick={() => onOpenChange(!open)}
    >
      <ChevronRight className={clsx('icon icon-s', open && 'turned')} aria-hidden />
      {label}
    </button>
  )
}
