// The declarations are those of the library: every function is exported, every struct laid out as in C.

using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Reflection;
using System.Runtime.InteropServices;
using NUnit.Framework;
using Wobble;

[TestFixture]
public class LayoutTests
{
    static readonly string[] handles = { "World", "Shape", "Body", "Collider", "Attachment", "Field" };

    static string TypeName(string native)
    {
        string name = native.Substring("Wobble".Length);
        return handles.Contains(name) ? name + "Handle" : name;
    }

    static string FieldName(string native) =>
        string.Concat(native.Split('_').Select(part => part.Substring(0, 1).ToUpperInvariant() + part.Substring(1)));

    static IEnumerable<Type> Structs() => typeof(NativeMethods).GetMethods(BindingFlags.Public | BindingFlags.Static)
        .SelectMany(method => method.GetParameters())
        .Select(parameter => parameter.ParameterType)
        .Select(type => { while (type.IsPointer) type = type.GetElementType(); return type; })
        .Where(type => type.IsValueType && !type.IsPrimitive && type != typeof(void))
        .Distinct();

    [Test]
    public void StructsAreLaidOutAsInC()
    {
        var found = new HashSet<Type>();
        foreach (string line in Scenes.Read("tests/layout.txt").Split(new[] { '\n' }, StringSplitOptions.RemoveEmptyEntries))
        {
            var words = line.Split(' ', '.');
            var type = typeof(World).Assembly.GetType("Wobble." + TypeName(words[0]), true);
            found.Add(type);
            if (words.Length == 2)
            {
                Assert.AreEqual(int.Parse(words[1]), Marshal.SizeOf(type), line);
                continue;
            }
            var field = type.GetField(FieldName(words[1]));
            Assert.IsNotNull(field, line);
            Assert.AreEqual(int.Parse(words[2]), (int)Marshal.OffsetOf(type, field.Name), line);
            int size = field.FieldType.IsPointer ? IntPtr.Size : Marshal.SizeOf(field.FieldType);
            Assert.AreEqual(int.Parse(words[3]), size, line);
        }
        foreach (var type in Structs()) Assert.IsTrue(found.Contains(type), type + " is not in tests/layout.txt");
    }

    /// <summary>No struct has a field that the table does not know.</summary>
    [Test]
    public void StructsHaveNoFieldsOfTheirOwn()
    {
        string table = Scenes.Read("tests/layout.txt");
        int fields = table.Split('\n').Count(line => line.Contains('.'));
        var all = Structs().Concat(new[] { typeof(Wobble.Transform), typeof(View) }).Distinct();
        Assert.AreEqual(fields, all.Sum(type => type.GetFields(BindingFlags.Public | BindingFlags.Instance).Length));
    }

    [Test]
    public void TheLibraryExportsEveryFunction()
    {
        var functions = typeof(NativeMethods).GetMethods(BindingFlags.Public | BindingFlags.Static)
            .Where(method => method.Name.StartsWith("wobble_")).ToArray();
        Assert.Greater(functions.Length, 200);
        foreach (var function in functions) Marshal.Prelink(function);
    }

    [Test]
    public void VersionAndInterfaceAreThoseOfTheSources()
    {
        StringAssert.Contains("version = \"" + Library.Version + "\"", Scenes.Read("Cargo.toml"));
        Assert.AreEqual(Library.ExpectedAbi, Library.Abi);
        Library.CheckAbi();
        StringAssert.Contains("restart the editor", Library.AbiMessage(99));
        Assert.AreEqual("STALE_HANDLE", Library.NameOf(Status.StaleHandle));
    }

    /// <summary>Every public member of the classes is used somewhere in these tests.</summary>
    [Test]
    public void NoMemberIsLeftUntried()
    {
        string tests = string.Concat(
            Directory.GetFiles(Path.Combine(Scenes.Root, "tests/csharp"), "*.cs").Select(File.ReadAllText));
        var types = new[] {
            typeof(World), typeof(Body), typeof(Shape), typeof(Wobble.Collider), typeof(Attachment), typeof(Field),
            typeof(Solid), typeof(Library), typeof(Inhabitant),
        };
        const BindingFlags all =
            BindingFlags.Public | BindingFlags.Instance | BindingFlags.Static | BindingFlags.DeclaredOnly;
        var untried = types.SelectMany(type => type.GetMembers(all).Select(member => member.Name))
            .Where(name => !name.Contains("_") && !name.StartsWith(".")).Distinct()
            .Where(name => !tests.Contains("." + name) && !tests.Contains(name + " ="));
        CollectionAssert.IsEmpty(untried.ToArray());
    }
}
