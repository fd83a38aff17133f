import { createContext, useContext } from 'react'

const NonceContext = createContext<string | undefined>(undefined)

export const NonceProvider = NonceContext.Provider

/**
 * Returns the response's nonce for inline scripts. Undefined in the browser, which hides it from
 * scripts.
 */
export const useNonce = (): string | undefined => useContext(NonceContext)
