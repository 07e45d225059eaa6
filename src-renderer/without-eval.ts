import * as z from 'zod'

// The content security policy forbids eval, which zod would otherwise try for each schema.
z.config({ jitless: true })
