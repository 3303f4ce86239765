import { Component, type ComponentChildren } from "preact";

interface Props {
  readonly name: string;
  readonly children?: ComponentChildren;
}

/** Keeps a defect in one part of a page from taking the rest with it. */
export class PanelBoundary extends Component<Props, { error: Error | undefined }> {
  override state: { error: Error | undefined } = { error: undefined };

  static override getDerivedStateFromError(error: Error): { error: Error } {
    return { error };
  }

  override render(): ComponentChildren {
    const { error } = this.state;
    if (error === undefined) return this.props.children;
    return (
      <div class="problem" role="alert">
        <p>This part of the page failed: {this.props.name}. It is a defect of Census; please report the text below.</p>
        <pre>{`${error.name}: ${error.message}\n${error.stack ?? ""}`.slice(0, 2000)}</pre>
        <button type="button" onClick={() => this.setState({ error: undefined })}>
          Try again
        </button>
      </div>
    );
  }
}
