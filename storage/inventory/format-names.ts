/** The tools that an inventory is written for. */
export const inventoryFormatNames = ["ansible", "bolt", "prometheus-sd", "ssh", "csv"] as const;

export type InventoryFormatName = (typeof inventoryFormatNames)[number];

export function isInventoryFormat(text: string): text is InventoryFormatName {
  return inventoryFormatNames.some((name) => name === text);
}
