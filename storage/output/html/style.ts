/** The style of a page. Its colours are the explorer's; on paper they are always those on white. */
export const style = `
:root{color-scheme:light dark;
--ground:light-dark(#fff,#0f1419);--raised:light-dark(#f4f6f8,#171d24);--line:light-dark(#d5dbe1,#2c3641);
--text:light-dark(#1b2026,#e6eaef);--muted:light-dark(#57606a,#9aa5b1);
--failed:light-dark(#9f1b12,#f24c25);--corrective:light-dark(#a6560a,#fbad2f);--changed:light-dark(#0a4fb5,#4d90ff);
--pending:light-dark(#5c1a66,#bb729f);--unchanged:light-dark(#66717b,#a9b1b9)}
*{box-sizing:border-box}
body{margin:24px;background:var(--ground);color:var(--text);
font:14px/20px system-ui,"Segoe UI",Roboto,"Helvetica Neue",sans-serif;font-variant-numeric:tabular-nums}
h1{margin:0 0 12px;font-size:20px;line-height:28px;font-weight:600;overflow-wrap:anywhere}
dl{display:grid;grid-template-columns:max-content minmax(0,1fr);gap:4px 16px;margin:0 0 24px}
dt,.note,.none{color:var(--muted)}
dd{margin:0;overflow-wrap:anywhere}
pre,code{margin:0;font:13px/20px ui-monospace,"Cascadia Mono","DejaVu Sans Mono",Menlo,monospace;
white-space:pre-wrap;overflow-wrap:anywhere}
table{border-collapse:collapse}
th,td{padding:4px 16px 4px 0;text-align:start;vertical-align:top}
th{position:sticky;top:0;background:var(--ground);font-weight:600;box-shadow:inset 0 -1px var(--line);vertical-align:bottom}
td{border-bottom:1px solid var(--line);white-space:pre-wrap;overflow-wrap:anywhere;max-width:80ch}
td.s{white-space:pre;overflow-wrap:normal}
td.m{min-width:24ch}
td.l{min-width:44ch}
td.d{max-width:12ch;overflow:hidden;text-overflow:ellipsis;white-space:nowrap}
td.n{text-align:end;white-space:nowrap}
.code{padding:0 3px;border:1px solid var(--line);border-radius:3px;font-size:11px;color:var(--muted)}
.failed,.hidden,.del{color:var(--failed)}.corrective{color:var(--corrective)}.changed,.mod{color:var(--changed)}
.pending{color:var(--pending)}.unchanged,.never,.silent{color:var(--unchanged)}
.add{color:light-dark(#116329,#56d364)}
.note{margin:16px 0 0}
@media (max-width:700px){body{margin:12px}.rows{overflow-x:auto}td,td.s{white-space:pre-wrap;overflow-wrap:anywhere;min-width:12ch}td.m,td.l{min-width:26ch}td.n{min-width:0}}
@media print{:root{color-scheme:light}body{margin:0;font-size:11px;line-height:15px}pre,code{font-size:10px;line-height:14px}
th{position:static}td,td.s{white-space:pre-wrap;overflow-wrap:anywhere;padding-right:8px}td.s{min-width:9ch}td.m{min-width:14ch}td.l{min-width:24ch}td.d{max-width:9ch;white-space:nowrap}tr{break-inside:avoid}thead{display:table-header-group}}
`;
