/* The records that come over the wire are made from the server's own (../protocol.ts); here are only shorter names for some. */
export * from "../protocol";
export type { AnyRequest as Request } from "../protocol";

export type Point = [number, number];
