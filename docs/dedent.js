// Code included from the middle of a program keeps its indent there; taken off here.
for (const code of document.querySelectorAll("pre code")) {
    const lines = code.textContent.split("\n").filter((line) => line.trim() !== "");
    const indent = Math.min(...lines.map((line) => line.length - line.trimStart().length));
    if (indent > 0) code.innerHTML = code.innerHTML.replace(new RegExp(`^[ \t]{${indent}}`, "gm"), "");
}
