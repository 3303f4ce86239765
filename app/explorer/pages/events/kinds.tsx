import type { JSX } from "preact";
import { type Filter, type FilterValue, sameValue } from "../facets/filters.ts";

interface Kind {
  readonly label: string;
  readonly filters: Readonly<Record<string, FilterValue>>;
}

/** Fields that decide the kind of an event. */
const decisive = ["status", "corrective_change"];

const all: Kind = { label: "All", filters: {} };
const failures: Kind = { label: "Failures", filters: { status: "failure" } };
const changes: Kind = { label: "Changes", filters: { status: "success" } };
const intended: Kind = { label: "Intended changes", filters: { status: "success", corrective_change: false } };
const drift: Kind = { label: "Drift", filters: { status: "success", corrective_change: true } };

export interface KindsProps {
  readonly filters: readonly Filter[];
  readonly onFilters: (filters: readonly Filter[]) => void;
  /** Whether corrective changes are stored. */
  readonly hasDrift: boolean;
}

/** Filters by kind: changes that were intended apart from those that undid something done outside of Puppet. */
export function Kinds({ filters, onFilters, hasDrift }: KindsProps): JSX.Element {
  const kinds = hasDrift ? [all, failures, intended, drift] : [all, failures, changes];
  return (
    <fieldset class="choice">
      <legend class="visually-hidden">Kind of event</legend>
      {kinds.map((kind) => (
        <button
          key={kind.label}
          type="button"
          aria-pressed={isChosen(kind, filters)}
          onClick={() => onFilters([...others(filters), ...filtersOf(kind)])}
        >
          {kind.label}
        </button>
      ))}
    </fieldset>
  );
}

function filtersOf({ filters }: Kind): Filter[] {
  return Object.entries(filters).map(([field, value]) => ({ field, value, excludes: false }));
}

function others(filters: readonly Filter[]): Filter[] {
  return filters.filter(({ field }) => !decisive.includes(field));
}

function isChosen(kind: Kind, filters: readonly Filter[]): boolean {
  const own = filters.filter(({ field }) => decisive.includes(field));
  const wanted = filtersOf(kind);
  return (
    own.length === wanted.length &&
    wanted.every((one) =>
      own.some(({ field, value, excludes }) => field === one.field && !excludes && sameValue(value, one.value)),
    )
  );
}
