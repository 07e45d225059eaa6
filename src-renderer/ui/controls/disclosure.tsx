import clsx from 'clsx'
import { ChevronRight } from 'lucide-react'
import { type ComponentProps, type JSX, useId, useState } from 'react'

/** The button that shows and hides content below it; `controls` is the element id of the content. */
export function DisclosureButton(props: {
  readonly label: string
  readonly open: boolean
  readonly controls: string
  readonly onOpenChange: (open: boolean) => void
}): JSX.Element {
  const { label, open, controls, onOpenChange } = props
  return (
    <button
      type="button"
      className="disclosure bare inline-flex items-center gap-1 text-small font-medium text-faint"
      aria-expanded={open}
      aria-controls={controls}
      onClick={() => onOpenChange(!open)}
    >
      <ChevronRight className={clsx('icon icon-s', open && 'rotate-90')} aria-hidden />
      {label}
    </button>
  )
}

/** The button and its content, which is mounted while it is open. */
export function Disclosure(
  props: ComponentProps<'div'> & { readonly label: string; readonly opened?: boolean },
): JSX.Element {
  const { label, opened = false, children, ...rest } = props
  const id = useId()
  const [isOpen, setIsOpen] = useState(opened)
  return (
    <>
      <DisclosureButton label={label} open={isOpen} controls={id} onOpenChange={setIsOpen} />
      <div {...rest} id={id} hidden={!isOpen}>
        {isOpen && children}
      </div>
    </>
  )
}
