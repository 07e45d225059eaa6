import { createContext } from 'react'

/** Whether the next field stands for the kind that was chosen above it, so that its label was said already. */
export const InKind = createContext(false)
